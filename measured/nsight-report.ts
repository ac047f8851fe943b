/**
 * Reports of Nsight Compute's own (`.ncu-rep`), version 7: a header, then blocks, each with a header of its own and a payload of so many
 * sources, launches and ranges. Headers and entries are protocol buffers with their lengths in front, in four bytes. The format is
 * described in the "Report File Format" of Nsight Compute's Customization Guide; its messages (extras/FileFormat) have many more fields than
 * are read here, and values are in base units. What the file says of its own lengths and counts is not trusted: all are held against what is
 * there, nothing is read twice, and nothing is kept but names, numbers and lines.
 */
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { l10n } from '../counters/spoken.ts';
import type { MeasuredLaunch, MeasuredRun } from './launches.ts';
import { type InstructionValue, LINE_SOURCES, type LoadedKernel, ModuleLines } from './report-lines.ts';

export const REPORT_MAGIC = 'NVR\0';
const VERSION = 7;
/** A launch with all sections has 2,300 metrics: more than this nobody has patience to profile, and a file that says so is none. */
const MOST_VALUES = 4_000_000;

/** Throws an Error that says what is wrong, and what to do. */
export function parseNsightReport(name: string, bytes: Uint8Array): MeasuredRun {
  const found = launchesOf(name, bytes);
  if (found.launches.length === 0) throw new Error(l10n.t('{0} has no launches.', name));
  return { name, ...found };
}

type Found = Pick<MeasuredRun, 'launches' | 'device'>;

function launchesOf(name: string, bytes: Uint8Array): Found {
  try {
    return readLaunches(name, bytes);
  } catch (error) {
    if (error instanceof ForeignReport) throw error;
    // Otherwise it is what the decoder throws: at the end of the file, at tags and lengths that cannot be.
    const what = error instanceof UnreadableReport ? error.message : l10n.t('{0} is cut off or damaged.', name);
    throw new Error(`${what} ${l10n.t('Nsight Compute exports what it can read: ncu --import {0} --csv --page raw', name)}`);
  }
}

/** It can be read, and has nothing that belongs here. */
class ForeignReport extends Error {}
class UnreadableReport extends Error {}

function readLaunches(name: string, bytes: Uint8Array): Found {
  const entries = new Entries(bytes, { at: REPORT_MAGIC.length, end: bytes.length });
  const version = versionOf(entries.next());
  if (version !== VERSION) {
    throw new UnreadableReport(l10n.t('{0} has version {1} of the format; only version {2} can be read.', name, version, VERSION));
  }
  const launches: MeasuredLaunch[] = [];
  let device: string | undefined;
  // Launches refer to names of blocks before theirs, too.
  const names: string[] = [];
  const modules = new Map<number, ModuleLines>();
  let values = 0;
  while (!entries.atEnd) {
    const header = blockHeader(entries.next(), names);
    if (header.ranges > 0) {
      throw new ForeignReport(
        l10n.t('{0} has ranges of several launches; kernels are measured by themselves with --replay-mode kernel.', name),
      );
    }
    const payload = entries.part(header.payloadBytes);
    for (let source = 0; source < header.sources; source++) addModule(payload.next(), modules);
    for (let result = 0; result < header.results; result++) {
      const launch = launchOf(payload.next(), names);
      const lines = modules.get(launch.module)?.linesOf(launch.symbol, launch.instructions);
      launches.push(lines ? { ...launch.measured, lines } : launch.measured);
      device ??= launch.device;
      values += launch.values;
      if (values + names.length > MOST_VALUES)
        throw new UnreadableReport(l10n.t('{0} has more than {1} numbers.', name, MOST_VALUES.toLocaleString('en-US')));
    }
  }
  return { launches, ...(device !== undefined && { device }) };
}

/** Messages with their lengths in front, one behind the other. */
class Entries {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private at: number;
  private readonly end: number;

  constructor(bytes: Uint8Array, { at, end }: { readonly at: number; readonly end: number }) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
    this.end = end;
  }

  get atEnd(): boolean {
    return this.at === this.end;
  }

  next(): Uint8Array {
    this.require(4);
    const length = this.view.getUint32(this.at, true);
    this.at += 4;
    return this.bytes.subarray(...this.taken(length));
  }

  part(length: number): Entries {
    const [at, end] = this.taken(length);
    return new Entries(this.bytes, { at, end });
  }

  private taken(length: number): [number, number] {
    this.require(length);
    this.at += length;
    return [this.at - length, this.at];
  }

  private require(length: number): void {
    if (length > this.end - this.at) throw new RangeError('the file ends here');
  }
}

type Visit = (reader: BinaryReader, field: number) => void;

/** Fields that are not visited are skipped. */
function eachField(message: Uint8Array, visit: Readonly<Record<number, Visit | undefined>>): void {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    const found = visit[field];
    if (found) found(reader, field);
    else reader.skip(type, field);
  }
  if (reader.pos > reader.len) throw new RangeError('a message ends here');
}

function versionOf(fileHeader: Uint8Array): number {
  let version = 0;
  eachField(fileHeader, {
    1: (reader) => {
      version = reader.uint32();
    },
  });
  return version;
}

interface BlockHeader {
  sources: number;
  results: number;
  payloadBytes: number;
  ranges: number;
}

function blockHeader(message: Uint8Array, names: string[]): BlockHeader {
  const header: BlockHeader = { sources: 0, results: 0, payloadBytes: 0, ranges: 0 };
  eachField(message, {
    1: (reader) => {
      header.sources = reader.uint32();
    },
    2: (reader) => {
      header.results = reader.uint32();
    },
    4: (reader) => eachField(reader.bytes(), { 1: (table) => names.push(table.string()) }),
    5: (reader) => {
      header.payloadBytes = reader.uint32();
    },
    7: (reader) => {
      header.ranges = reader.uint32();
    },
  });
  return header;
}

/** Kernels of a module that come with later blocks are in a message without the code. */
function addModule(message: Uint8Array, modules: Map<number, ModuleLines>): void {
  let id = 0;
  let cubin: Uint8Array | undefined;
  const kernels: LoadedKernel[] = [];
  eachField(message, {
    1: (reader) => {
      id = Number(reader.uint64());
    },
    4: (reader) => {
      cubin = reader.bytes();
    },
    9: (reader) => eachField(reader.bytes(), { 1: (list) => kernels.push(loadedKernel(list.bytes())) }),
  });
  const known = modules.get(id) ?? new ModuleLines();
  modules.set(id, known);
  known.add(cubin, kernels);
}

function loadedKernel(message: Uint8Array): LoadedKernel {
  let [address, symbol] = [0, 0];
  let name = '';
  eachField(message, {
    1: (reader) => {
      name = reader.string();
    },
    2: (reader) => {
      address = Number(reader.uint64());
    },
    3: (reader) => {
      symbol = reader.uint32();
    },
  });
  return { name, address, symbol };
}

interface LaunchResult {
  readonly measured: MeasuredLaunch;
  readonly module: number;
  /** Mangled name. */
  readonly symbol: string;
  readonly instructions: readonly InstructionValue[];
  readonly device?: string;
  readonly values: number;
}

function launchOf(message: Uint8Array, names: readonly string[]): LaunchResult {
  const launch: { kernel: string; grid?: Size; block?: Size; metrics: Record<string, number> } = { kernel: '', metrics: {} };
  const instructions: InstructionValue[] = [];
  let [values, module] = [0, 0];
  let device: string | undefined;
  let symbol = '';
  eachField(message, {
    5: (reader) => {
      symbol = reader.string();
    },
    7: (reader) => {
      launch.kernel = reader.string();
    },
    10: (reader) => {
      launch.grid = sizeOf(reader.bytes());
    },
    11: (reader) => {
      launch.block = sizeOf(reader.bytes());
    },
    13: (reader) => {
      const { name, value } = metricOf(reader.bytes(), names, instructions);
      values++;
      if (typeof value === 'number' && Number.isFinite(value)) launch.metrics[name] = value;
      if (typeof value === 'string' && name === 'device__attribute_display_name') device = value;
    },
    15: (reader) =>
      eachField(reader.bytes(), {
        1: (id) => {
          module = Number(id.uint64());
        },
      }),
  });
  return { measured: launch, module, symbol, instructions, device, values: values + instructions.length };
}

type Size = [number, number, number];

function sizeOf(message: Uint8Array): Size {
  const size: Size = [1, 1, 1];
  const dimension: Visit = (reader, field) => {
    size[field - 1] = Number(reader.uint64());
  };
  eachField(message, { 1: dimension, 2: dimension, 3: dimension });
  return size;
}

interface Metric {
  readonly name: string;
  readonly value?: Value;
}

type Value = number | string | undefined;

/** Of what differs between its instances, that of instructions is added to `instructions` if lines can have it. */
function metricOf(message: Uint8Array, names: readonly string[], instructions: InstructionValue[]): Metric {
  let name: string | undefined;
  let value: Value;
  eachField(message, {
    1: (reader) => {
      name = names[reader.uint32()];
    },
    2: (reader) => {
      value = typedValue(reader.bytes());
    },
    3: (reader) => {
      const instance = reader.bytes();
      if (name !== undefined && LINE_SOURCES.has(name)) addInstance(instance, name, instructions);
    },
  });
  if (name === undefined) throw new RangeError('a name is missing');
  return { name, value };
}

function addInstance(message: Uint8Array, metric: string, instructions: InstructionValue[]): void {
  let address: Value;
  let value: Value;
  eachField(message, {
    1: (reader) => {
      address = typedValue(reader.bytes());
    },
    2: (reader) => {
      value = typedValue(reader.bytes());
    },
  });
  if (typeof address === 'number' && typeof value === 'number') instructions.push({ metric, address, value });
}

function typedValue(message: Uint8Array): Value {
  let value: Value;
  const whole: Visit = (reader) => {
    value = Number(reader.uint64());
  };
  eachField(message, {
    1: (reader) => {
      value = reader.string();
    },
    2: (reader) => {
      value = reader.float();
    },
    3: (reader) => {
      value = reader.double();
    },
    4: whole,
    5: whole,
  });
  return value;
}
