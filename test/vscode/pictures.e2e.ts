/** Every text in every picture that is drawn, against what is painted behind it, as a browser renders it on each ground. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { racePicture } from '../../analyzers/hover/race-picture.ts';
import { optionsOf } from '../../cli/run.ts';
import { speak } from '../../counters/spoken.ts';
import type { Report } from '../../protocol/report.ts';
import { INK } from '../../server/hover.ts';
import { startSimulation } from '../../simulator/simulate.ts';
import { atomicsPicture } from '../../simulator/timeline/atomics-picture.ts';
import { blocksPicture } from '../../simulator/timeline/blocks-picture.ts';
import { memoryPicture } from '../../simulator/timeline/memory-chart.ts';
import { timelinePicture } from '../../simulator/timeline/picture.ts';
import { rooflinePicture } from '../../simulator/timeline/roofline.ts';
import { NARROW, WIDE } from '../../simulator/timeline/svg.ts';
import { theAnalyzer } from '../analyzers/open.ts';
import { CHROMIUM, root } from './vscode.ts';

/** Of the grounds that hovers and editors have in the themes that come with VS Code, those that are hardest to read the text on. */
const GROUNDS = [
  { ground: '#f3f3f3', ink: INK.light },
  { ground: '#252526', ink: INK.dark },
  { ground: '#000000', ink: '#ffffff' },
] as const;
const LEAST = 4.5;

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await chromium.launch(CHROMIUM);
  page = await browser.newPage();
});
afterAll(() => browser.close());

describe('texts in pictures can be read', () => {
  it('in hovers', async () => {
    const pictures = new Map<string, string>();
    for (const file of sources()) for (const picture of await hoverPictures(readFileSync(file, 'utf8'))) pictures.set(picture, file);
    const place = (row: number, x: number) => ({ thread: [x, 0, 0] as const, block: [1, 0, 0] as const, access: 'write', line: row });
    pictures.set(racePicture([place(7, 1), place(9, 0)] as never)!, 'a race');
    console.log(`${pictures.size} pictures in hovers`);
    expect(pictures.size).toBeGreaterThan(100);
    await expectReadable([...pictures.keys()]);
  });

  it('in reports', { timeout: 120_000 }, async () => {
    const pictures: string[] = [];
    const outside: string[] = [];
    for (const file of ['examples/histogram.cu', 'examples/reduction.cu', 'examples/lessons/streams/streams.cu', 'examples/transpose.cu']) {
      const report = await run(join(root, file));
      const launched = report.kernels.filter(({ kernel }) => kernel === report.kernels[0].kernel);
      for (const width of [WIDE, NARROW]) {
        for (const language of ['en', 'fr', 'ja', 'ko']) {
          speak(language === 'en' ? {} : JSON.parse(readFileSync(join(root, `l10n/bundle.l10n.${language}.json`), 'utf8')));
          const drawn = [
            rooflinePicture(report, { width }),
            timelinePicture(report.timeline!, { width }),
            memoryPicture(report.kernels, width),
            blocksPicture(launched, 132, width),
          ];
          if (file.includes('histogram')) drawn.push(atomicsPicture(report.lines[report.kernels[0].kernel], width));
          for (const each of drawn) {
            expect(each?.words.length, file).toBeGreaterThan(language === 'en' ? 20 : 10);
            if (language === 'en') pictures.push(each!.svg);
            outside.push(...(await page.evaluate(cutOff, each!.svg)).map((text) => `${file} ${language} ${width}: ${text}`));
          }
        }
      }
    }
    speak({});
    await expectReadable(pictures);
    expect(outside).toEqual([]);
  });
});

function sources(): string[] {
  const folders = readdirSync(join(root, 'test/fixtures/rules')).map((name) => join(root, 'test/fixtures/rules', name));
  const rules = folders.flatMap((folder) => readdirSync(folder).flatMap((name) => (name.endsWith('.cu') ? [join(folder, name)] : [])));
  return [...rules, ...readdirSync(join(root, 'examples')).flatMap((name) => (name.endsWith('.cu') ? [join(root, 'examples', name)] : []))];
}

/** Where there may be one: calls, accesses, branches, launches. */
const DRAWN = /__\w+(?=\()|\w+(?=\[)|\b(?:if|for|while)\b|<<</g;

async function hoverPictures(text: string): Promise<string[]> {
  const document = (await theAnalyzer()).open(text);
  const found = text.split('\n').flatMap((content, line) =>
    [...content.matchAll(DRAWN)].flatMap(({ index, 0: word }) => {
      const { picture } = document.hover({ line, column: index + word.length - 1 }) ?? {};
      return picture === undefined ? [] : [picture];
    }),
  );
  document.dispose();
  return found;
}

async function run(file: string): Promise<Report> {
  const result = await startSimulation({ ...optionsOf([file]).request, timeline: true }, {}).result;
  if (result.kind !== 'finished') throw new Error(JSON.stringify(result));
  return result.report;
}

/** In the page: texts that reach over an edge of their picture, or over another text. */
function cutOff(svg: string): string[] {
  const holder = document.createElement('div');
  holder.innerHTML = svg;
  document.body.append(holder);
  const root = holder.querySelector('svg')!;
  const { width, height } = root.viewBox.baseVal;
  const texts = [...root.querySelectorAll('text')].filter((text) => !text.hasAttribute('transform'));
  const boxes = texts.map((text) => ({ text: text.textContent, box: text.getBBox() }));
  const problems = boxes.flatMap(({ text, box }, index) => [
    ...(box.x < -1 || box.x + box.width > width + 1 || box.y < -2 || box.y + box.height > height + 2 ? [text] : []),
    ...boxes
      .slice(0, index)
      .filter(({ box: other }) => {
        const [across, down] = [
          Math.min(box.x + box.width, other.x + other.width) - Math.max(box.x, other.x),
          Math.min(box.y + box.height, other.y + other.height) - Math.max(box.y, other.y),
        ];
        return across > 2 && down > 4;
      })
      .map((other) => `${text} over ${other.text}`),
  ]);
  holder.remove();
  return problems;
}

async function expectReadable(pictures: readonly string[]): Promise<void> {
  for (const { ground, ink } of GROUNDS) {
    await page.setContent(`<body style="background: ${ground}"></body>`);
    const problems = await page.evaluate(unreadable, { pictures, ground, ink, least: LEAST });
    expect(problems, `on ${ground}`).toEqual([]);
  }
}

interface Looked {
  readonly pictures: readonly string[];
  readonly ground: string;
  readonly ink: string;
  readonly least: number;
}

/** In the page. */
function unreadable({ pictures, ground, ink, least }: Looked): string[] {
  type Colour = readonly [number, number, number, number];
  const parse = (css: string): Colour => {
    const [r, g, b, a = 1] = css.match(/[\d.]+/g)!.map(Number);
    return [r, g, b, a];
  };
  const canvas = document.createElement('span');
  document.body.append(canvas);
  const colourOf = (css: string): Colour => {
    canvas.style.color = css;
    return parse(getComputedStyle(canvas).color);
  };
  const over = (top: Colour, below: Colour): Colour => {
    const mixed = [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
    return [mixed[0], mixed[1], mixed[2], 1];
  };
  const luminance = (colour: Colour) => {
    const [r, g, b] = [0, 1, 2].map((i) => {
      const part = colour[i] / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: Colour, b: Colour) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const shapesOf = (root: Element) =>
    [...root.querySelectorAll<SVGGeometryElement>('rect, path, circle, line, polyline')].map((shape) => ({
      shape,
      box: shape.getBBox(),
      style: getComputedStyle(shape),
      inverse: shape.getCTM()!.inverse(),
    }));
  const plain = colourOf(ground);
  /** What is painted at a point of the picture before an element, on the ground. */
  const behind = (text: Element, shapes: ReturnType<typeof shapesOf>, at: DOMPoint): Colour => {
    let colour = plain;
    for (const { shape, box, style, inverse } of shapes) {
      const own = at.matrixTransform(inverse);
      const reach = Number.parseFloat(style.strokeWidth) || 0;
      if (own.x < box.x - reach || own.x > box.x + box.width + reach || own.y < box.y - reach || own.y > box.y + box.height + reach)
        continue;
      if (!(shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
      if (style.fill !== 'none' && shape.isPointInFill(own)) {
        const [r, g, b, a] = parse(style.fill);
        colour = over([r, g, b, a * Number(style.fillOpacity)], colour);
      }
      // Thin lines are no ground.
      if (style.stroke !== 'none' && Number.parseFloat(style.strokeWidth) > 3 && shape.isPointInStroke(own)) {
        const [r, g, b, a] = parse(style.stroke);
        colour = over([r, g, b, a * Number(style.strokeOpacity)], colour);
      }
    }
    return colour;
  };
  const problems: string[] = [];
  for (const picture of pictures) {
    const holder = document.createElement('div');
    holder.innerHTML = picture;
    const root = holder.querySelector('svg')!;
    root.setAttribute('color', ink);
    document.body.append(holder);
    const shapes = shapesOf(root);
    for (const text of root.querySelectorAll('text')) {
      const [box, style] = [text.getBBox(), getComputedStyle(text)];
      for (const share of [0.1, 0.5, 0.9]) {
        const at = new DOMPoint(box.x + share * box.width, box.y + box.height / 2).matrixTransform(text.getCTM()!);
        const below = behind(text, shapes, at);
        const reached = contrast(over(parse(style.fill), below), below);
        if (reached < least)
          problems.push(`${text.textContent}: ${reached.toFixed(2)} of ${style.fill} on ${below} in ${picture.slice(0, 120)}`);
      }
    }
    holder.remove();
  }
  canvas.remove();
  if (!pictures.some((picture) => picture.includes('<text'))) problems.push('no text at all');
  return [...new Set(problems)].slice(0, 10);
}
