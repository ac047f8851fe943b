/** What the kernels of a run did, as tables for a terminal of 100 columns. */
import { addLine, type LineCounters, noCounts, WASTES } from '../counters/counters.ts';
import { COLUMN_FIGURES, type ColumnFigure, FEW_LANES, figure } from '../counters/figures.ts';
import { fileNamed } from '../counters/file-names.ts';
import { SM_90 } from '../devices/prices.ts';
import type { KernelReport, Report } from '../protocol/report.ts';
import type { Paint, Palette } from './terminal.ts';

const WIDTH = 100;
/** As many lines as one looks at. */
const MOST_LINES = 5;
/** Of the program's instructions: idle lanes of lines with less are not worth a mention. */
const LEAST_SHARE = 0.01;
/** Of the kernels' estimated time, for idle lanes of a line to be worth a word. */
const LEAST_TIME = 0.02;

interface Group {
  readonly name: string;
  readonly grids: Set<string>;
  readonly blocks: Set<string>;
  launches: number;
  warps: number;
  readonly sums: Record<string, number>;
}

interface Cell {
  readonly text: string;
  readonly paint?: Paint;
}

/** A kernel that is launched in more configurations than these has one row: nobody reads a hundred. */
const MOST_CONFIGURATIONS = 4;

/**
 * One row per kernel and launch configuration, while there are few of these, and one for the kernels of a library, in order of first
 * launch. `sectors/req`: 32-byte sectors of global memory per request; `conflicts`: shared-memory wavefronts beyond those needed without
 * conflicts; `divergent`: branches at which a warp diverged; `lanes`: how many were active, on average over all instructions.
 */
export function kernelTable(report: Report, palette: Palette): string {
  if (report.kernels.length === 0) return `\n${palette.quiet('No kernel was launched.')}\n`;
  const groups = grouped(report.kernels);
  const header = ['kernel', 'grid', 'block', 'warps', ...COLUMN_FIGURES.map(({ title }) => title)];
  const rows = groups.map((group) => cells(group, palette));
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].text.length)));
  // If the table is too wide, the kernels' names are cut.
  widths[0] -= Math.max(0, widths.reduce((sum, width) => sum + width + 2, 0) - WIDTH);
  const names = cutNames(
    rows.map(([{ text }]) => text),
    widths[0],
  );
  const line = (row: readonly Cell[], name = row[0].text) =>
    row
      .map(({ text, paint }, column) => {
        const padded = column === 0 ? name.padEnd(widths[column]) : text.padStart(widths[column]);
        return paint ? paint(padded) : padded;
      })
      .join('  ')
      .trimEnd();
  const titles = line(header.map((text) => ({ text, paint: palette.quiet })));
  const notes = repeatedLaunches(report, palette) + timedLaunches(report, palette) + faultedKernels(report, palette);
  return `\n${titles}\n${rows.map((row, index) => `${line(row, names[index])}\n`).join('')}${notes}`;
}

/** Each name, and how often it is launched where that is behind it, in so many characters. Where ends tell names apart, they stay. */
export function cutNames(texts: readonly string[], width: number): string[] {
  const cut = texts.map((text) => cutName(text, width));
  return cut.map((name, index) => {
    const text = texts[index];
    return cut.some((other, at) => other === name && texts[at] !== text) ? cutInside(text, width) : name;
  });
}

function cutName(text: string, width: number): string {
  const [times] = / x[\d,]+$/.exec(text) ?? [''];
  return text.length > width ? `${text.slice(0, width - 1 - times.length)}…${times}` : text;
}

function cutInside(text: string, width: number): string {
  const front = Math.floor((width - 1) / 2);
  return text.length > width ? `${text.slice(0, front)}…${text.slice(text.length - (width - 1 - front))}` : text;
}

/** A line about the launches that were counted without being executed. */
function repeatedLaunches({ kernels }: Report, palette: Palette): string {
  const repeated = kernels.filter(({ repeats }) => repeats).length;
  if (repeated === 0) return '';
  const share = `${count(repeated)} of ${count(kernels.length)} launches`;
  return `${palette.quiet(`${share} repeat an earlier one: counted, not executed (--every-launch executes all)`)}\n`;
}

/** A line for each kernel whose counters end at a fault. */
function faultedKernels({ faults }: Report, palette: Palette): string {
  const kernels = new Set(faults.flatMap(({ kernel }) => (kernel === undefined ? [] : [shortName(kernel)])));
  return [...kernels].map((kernel) => `${palette.yellow(`${kernel} faulted: its counters end there`)}\n`).join('');
}

/** A line for each kernel whose counters a GPU need not repeat. */
function timedLaunches({ kernels }: Report, palette: Palette): string {
  const reasons = new Map(kernels.flatMap(({ kernel, timing }) => (timing ? [[shortName(kernel), timing] as const] : [])));
  return [...reasons].map(([kernel, why]) => `${palette.quiet(`${kernel}: counters depend on timing, as ${why}`)}\n`).join('');
}

function grouped(kernels: readonly KernelReport[]): Group[] {
  const configuration = ({ kernel, grid, block }: KernelReport) => [kernel, grid, block].join('|');
  const configurations = new Map<string, Set<string>>();
  for (const launch of kernels) {
    const known = configurations.get(launch.kernel) ?? new Set();
    configurations.set(launch.kernel, known.add(configuration(launch)));
  }
  const groups = new Map<string, Group>();
  for (const launch of kernels) {
    const { kernel, library, grid, block, metrics } = launch;
    const isOne = configurations.get(kernel)!.size > MOST_CONFIGURATIONS;
    const key = library ?? (isOne ? kernel : configuration(launch));
    const group = groups.get(key) ?? { name: rowName(launch), grids: new Set(), blocks: new Set(), launches: 0, warps: 0, sums: {} };
    groups.set(key, group);
    group.grids.add(shape(grid));
    group.blocks.add(shape(block));
    group.launches++;
    group.warps += product(grid) * Math.ceil(product(block) / 32);
    for (const [name, value] of Object.entries(metrics)) group.sums[name] = (group.sums[name] ?? 0) + value;
  }
  return [...groups.values()];
}

/** `64`, `1 to 10` of several shapes with one dimension, `12 sizes` of others. */
function shapesText(shapes: ReadonlySet<string>): string {
  const numbers = [...shapes].map(Number);
  if (shapes.size === 1) return [...shapes][0];
  return numbers.some(Number.isNaN) ? `${shapes.size} sizes` : `${Math.min(...numbers)} to ${Math.max(...numbers)}`;
}

function cells({ name, grids, blocks, launches, warps, sums }: Group, palette: Palette): Cell[] {
  return [
    { text: `${name}${launches > 1 ? ` x${launches}` : ''}`, paint: palette.bold },
    { text: shapesText(grids) },
    { text: shapesText(blocks) },
    { text: count(warps) },
    ...COLUMN_FIGURES.map((column) => figureCell(column, sums, palette)),
  ];
}

function figureCell(column: ColumnFigure, sums: Group['sums'], palette: Palette): Cell {
  const found = figure(column, sums);
  if (!found || found.value === 0) return { text: '-' };
  const { value, ideal } = found;
  const paint = column.isBad?.(found) ? palette.yellow : undefined;
  if (column.as === 'count') return { text: count(value), paint };
  if (column.as === 'share') return { text: percent(value), paint };
  // `4.0`, or `32.0 for 4.0` where fewer would do.
  const [actual, best] = [value.toFixed(1), ideal.toFixed(1)];
  return { text: ideal === 0 || actual === best ? actual : `${actual} for ${best}`, paint };
}

/** Of a kernel in tables: kernels of a library share one, since nobody knows them by theirs. */
export function rowName({ kernel, library }: Pick<KernelReport, 'kernel' | 'library'>): string {
  return library ? `kernels of ${library}` : shortName(kernel);
}

/** Name and template arguments, without result and parameters. */
export function shortName(kernel: string): string {
  const withoutParameters = kernel.endsWith(')') ? kernel.slice(0, parameterStart(kernel)) : kernel;
  return withoutParameters.replace(/^(void|[\w:]+) (?=[^ ]*[\w>]$|[^<]*<)/, '');
}

/** Where the last parenthesised list begins. */
function parameterStart(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ')') depth++;
    if (text[at] === '(' && --depth === 0) return at;
  }
  return text.length;
}

function product(size: readonly number[]): number {
  return size.reduce((total, each) => total * each, 1);
}

/** `64`, `16x16`, `8x8x4`. */
function shape([x, y, z]: readonly number[]): string {
  return z > 1 ? `${x}x${y}x${z}` : y > 1 ? `${x}x${y}` : `${x}`;
}

function count(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} G`;
  return value >= 1e7 ? `${(value / 1e6).toFixed(1)} M` : value.toLocaleString('en-US');
}

function percent(share: number): string {
  const value = share * 100;
  return value < 0.1 ? '<0.1 %' : `${value >= 10 ? value.toFixed(0) : value.toFixed(1)} %`;
}

interface LineCost {
  readonly line: string;
  readonly counters: LineCounters;
  /** Of the program's instructions; undefined where few of them are the line's, or most lanes are active. */
  readonly idleShare: number | undefined;
  /** Sectors, wavefronts, branches and instructions that better code would not need, by the cycles they keep a multiprocessor busy. */
  readonly waste: number;
}

export interface SourceContext {
  readonly palette: Palette;
  /** Lines of the program's files by absolute path. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
}

/** A line for each kernel that ran slowly because it could not be compiled. */
export function interpretedKernels({ interpreted = {} }: Report, palette: Palette): string {
  return Object.entries(interpreted)
    .map(
      ([kernel, why]) =>
        `${palette.quiet(`note: ${shortName(kernel)} was interpreted, which is much slower than compiled code: ${why}`)}\n`,
    )
    .join('');
}

/** A line for each thing that may explain how the program ended. */
export function runNotes({ notes = [] }: Report, palette: Palette): string {
  return notes.map((note) => `${palette.yellow('note:')} ${note}\n`).join('');
}

/** Whose times the program has printed. */
export function timesNote({ estimatedFor }: Report, palette: Palette): string {
  if (!estimatedFor) return '';
  return `${palette.quiet(`note: times that the program read are estimated for ${[...new Set(estimatedFor)].join(' and ')}, not measured`)}\n`;
}

/** The lines that waste most, and what they waste. */
export function costliestLines(report: Report, { palette, sources }: SourceContext): string {
  if (report.kernels.length === 0) return '';
  // As in the editor: what compilers put at the end of a block is nothing that somebody could write otherwise.
  const isBrace = ({ line }: LineCost) => /^[\s{}]+$/.test(lineText(line, sources));
  const costs = lineCosts(report)
    .filter((each) => !isBrace(each))
    .slice(0, MOST_LINES);
  if (costs.length === 0) {
    // What was counted before a fault is no ground for praise.
    const faulted = report.faults.some(({ kernel }) => kernel !== undefined);
    return faulted ? '' : `\n${palette.quiet('No line has divergence, bank conflicts or excess sectors.')}\n`;
  }
  const width = Math.max(...costs.map(({ line }) => line.length));
  const rows = costs.map(({ line, counters, idleShare }) => {
    const text = lineText(line, sources);
    const room = WIDTH - width - 2;
    const shown = text.length > room ? `${text.slice(0, room - 1)}…` : text;
    const what = [...costTexts(counters), ...idleText(counters, idleShare)].map(
      (cost) => `${' '.repeat(width + 2)}${palette.yellow(cost)}\n`,
    );
    return `${palette.cyan(line.padEnd(width))}  ${shown}\n${what.join('')}`;
  });
  return `\n${palette.quiet('costliest lines')}\n${rows.join('')}`;
}

/** What stands in a line of a report's tables, `file:line`. */
export function lineText(line: string, sources: SourceContext['sources']): string {
  const [name, number] = line.split(':');
  return sources.get(fileNamed(name, sources.keys()) ?? '')?.[Number(number) - 1]?.trim() ?? '';
}

function lineCosts(report: Report): LineCost[] {
  const sums = new Map<string, LineCounters>();
  for (const lines of Object.values(report.lines)) {
    for (const [line, counters] of Object.entries(lines)) {
      const sum = sums.get(line) ?? noCounts();
      addLine(sum, counters);
      sums.set(line, sum);
    }
  }
  const all = [...sums.values()].reduce((total, { inst }) => total + inst, 0);
  const takesTime = timeTakers(report);
  return [...sums]
    .map(([line, counters]) => {
      const { inst, threadInst } = counters;
      const isIdle = inst > LEAST_SHARE * all && threadInst < FEW_LANES * inst && takesTime(line);
      const idleInstructions = isIdle ? inst - threadInst / 32 : 0;
      return {
        line,
        counters,
        idleShare: isIdle ? inst / all : undefined,
        waste: waste(counters) + SM_90.busyCycles.warpInstruction * idleInstructions,
      };
    })
    .filter((cost) => cost.waste > 0)
    .sort((a, b) => b.waste - a.waste);
}

/** A store by one lane has many instructions and idle lanes, and takes no time. All lines where times are not known. */
function timeTakers({ kernels, lineTimes }: Report): (line: string) => boolean {
  const total = kernels.reduce((sum, { estimate }) => sum + (estimate?.ns ?? 0), 0);
  if (!lineTimes || total === 0) return () => true;
  const tables = Object.values(lineTimes);
  return (line) => tables.reduce((sum, table) => sum + (table[line] ?? 0), 0) >= LEAST_TIME * total;
}

function waste(counters: LineCounters): number {
  const { globalSector, sharedWavefront, warpInstruction } = SM_90.busyCycles;
  const beyondIdeal = wasted(counters).map(({ line, ideal }) => {
    const cycles = line === 'sharedWavefronts' ? sharedWavefront : globalSector;
    return cycles * (counters[line] - counters[ideal]);
  });
  return beyondIdeal.reduce((total, each) => total + each, warpInstruction * counters.divergentBranches);
}

function costTexts(counters: LineCounters): string[] {
  const texts = wasted(counters).map(({ line, ideal, waste: { counted, cause } }) => {
    const [actual, best] = [counters[line], counters[ideal]];
    const times = best > 0 ? ` (${(actual / best).toFixed(1)} times as many)` : '';
    return `${count(actual)} ${counted} where ${count(best)} would do${times}${cause ? `: ${cause}` : ''}`;
  });
  const { divergentBranches, slowPathBranches } = counters;
  const warps = (number: number): string => (number === 1 ? '1 warp' : `${count(number)} warps`);
  if (divergentBranches > slowPathBranches) texts.push(`${warps(divergentBranches - slowPathBranches)} took both sides of a branch`);
  if (slowPathBranches > 0)
    texts.push(`${warps(slowPathBranches)} took the slow path of an operation for some lanes: zeros, NaN, tiny or very large numbers`);
  return texts;
}

/** Also where no branch diverges: predicated instructions, too, take as long for one lane as for 32. */
function idleText({ inst, threadInst }: LineCounters, share: number | undefined): string[] {
  return share === undefined
    ? []
    : [`${percent(share)} of instructions, with ${(threadInst / inst).toFixed(1)} of 32 lanes active on average`];
}

function wasted(counters: LineCounters): typeof WASTES {
  return WASTES.filter(({ line, ideal, waste: { tolerance } }) => counters[line] > tolerance * counters[ideal]);
}
