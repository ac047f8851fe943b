import type { HostArgument } from '../model/facts.ts';
import type { HostCallFacts } from '../model/file-facts.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { sharesHostMemory } from './host-pointer-argument.ts';
import { phrase } from './phrases.ts';

/** A copy whose direction, size or address is not that of the memory that it names. */
export const mismatchedCopy = defineRule({
  id: 'mismatched-copy',
  summary: 'Copy that contradicts the memory it names',
  category: 'memory',
  severity: 'error',
  messages: {
    direction:
      '`{kind}`, but `{name}` points to memory of {side}: what this does is undefined, and mostly it fails and copies nothing; use `{right}`, or swap the pointers',
    size: 'copies {count} bytes of the {bytes} that `{name}` has: {count} elements of `{element}` are {bytes} bytes; multiply by `sizeof({element})`',
    elements:
      '`{name}` was allocated with {bytes} bytes, and {count} are copied: the copy fails (invalid argument); {bytes} elements of `{element}` are {count} bytes, so multiply the size of the allocation by `sizeof({element})`',
    beyond: 'copies {count} bytes, and `{name}` has {bytes}: the copy fails (invalid argument); allocate more, or copy less',
    symbol:
      '`{name}` is a variable of the device, and its address in host code is not where it lies there: the copy fails or goes elsewhere; use `{right}`',
  },
  *detectFile(file) {
    const shares = sharesHostMemory(file);
    for (const { calls } of file.hostFunctions)
      for (const call of calls) {
        const [, async] = /^cudaMemcpy(Async)?$/.exec(call.name) ?? [call.name];
        const [to, from, size, direction] = call.args;
        if (!/^cudaMemcpy(Async)?$/.test(call.name) || !direction) continue;
        const symbol = [to, from].find((argument) => argument.symbol !== undefined);
        if (symbol) {
          const right = `cudaMemcpy${symbol === to ? 'To' : 'From'}Symbol${async ?? ''}`;
          yield { at: symbol.place, message: 'symbol', data: { name: symbol.symbol!, right }, fixes: bySymbol(call, symbol, right) };
          continue;
        }
        const wrong = contradiction(to, from, direction.text, shares);
        if (wrong) {
          const { argument, right } = wrong;
          const data = { kind: direction.text, name: argument.text, side: phrase(argument.onDevice ? 'sideDevice' : 'sideHost'), right };
          const fix = { title: phrase('replaceWith', { name: right }), edits: [{ at: direction.place, newText: right }], safe: false };
          yield { at: direction.place, message: 'direction', data, fixes: [fix] };
          continue;
        }
        const exceeded = exceededBy(call);
        if (exceeded) {
          const { bytes, elementBytes, element } = exceeded.allocation!;
          const message = elementBytes > 1 && bytes * elementBytes === size.value ? 'elements' : 'beyond';
          yield { at: size.place, message, data: { count: size.value!, bytes, name: exceeded.text, element } };
          continue;
        }
        const short = lacksSize(call);
        if (short) {
          const { bytes, element } = short.allocation!;
          const newText = /^\w+$/.test(size.text) ? `${size.text} * sizeof(${element})` : `(${size.text}) * sizeof(${element})`;
          const fix = { title: phrase('replaceWith', { name: newText }), edits: [{ at: size.place, newText }], safe: false };
          const data = { count: size.value!, bytes, name: short.text, element };
          yield { at: size.place, message: 'size', data, severity: 'warning', fixes: [fix] };
        }
      }
  },
});

/** Sides of a direction: true for the device. */
const SIDES: Readonly<Record<string, readonly [to: boolean, from: boolean]>> = {
  cudaMemcpyHostToHost: [false, false],
  cudaMemcpyHostToDevice: [true, false],
  cudaMemcpyDeviceToHost: [false, true],
  cudaMemcpyDeviceToDevice: [true, true],
};

interface Contradiction {
  readonly argument: HostArgument;
  readonly right: string;
}

function contradiction(to: HostArgument, from: HostArgument, direction: string, shares: boolean): Contradiction | undefined {
  const said = SIDES[direction];
  if (!said) return undefined;
  const known = [to, from].map((argument) => (argument.onDevice ? true : argument.onHost && !shares ? false : undefined));
  const wrong = said.findIndex((side, index) => known[index] !== undefined && known[index] !== side);
  if (wrong < 0) return undefined;
  // Of a side that is not known: where only one is turned round, the other mostly is, too.
  const other = said[0] !== said[1] ? !said[1 - wrong] : said[1 - wrong];
  const sides = known.map((side, index) => side ?? (index === wrong ? !said[index] : other));
  const right = Object.keys(SIDES).find((name) => SIDES[name].every((side, index) => side === sides[index]))!;
  return { argument: [to, from][wrong], right };
}

/** Memory of the device that is smaller than what is copied from or to its start. */
function exceededBy({ args: [to, from, size], loops }: HostCallFacts): HostArgument | undefined {
  const { value } = size;
  if (value === undefined || loops.length > 0) return undefined;
  return [to, from].find(({ allocation, onDevice, text }) => onDevice && allocation && value > allocation.bytes && /^\w+$/.test(text));
}

/** `cudaMemcpy(d, h, n, …)` of memory of `n * sizeof(T)` bytes. */
function lacksSize({ args: [to, from, size], loops }: HostCallFacts): HostArgument | undefined {
  if (size.value === undefined || loops.length > 0 || /sizeof|byte|siz|sz|chunk|part|quarter|mem|len|stream|\//i.test(size.text))
    return undefined;
  // A number may well be the bytes of fewer elements.
  if (!/^[A-Za-z_]\w*(\s*\*\s*[A-Za-z_]\w*)*$/.test(size.text)) return undefined;
  const isShort = ({ allocation }: HostArgument) =>
    allocation !== undefined && allocation.elementBytes > 1 && size.value! * allocation.elementBytes === allocation.bytes;
  return [to, from].find((argument) => isShort(argument) && /^\w+$/.test(argument.text));
}

function bySymbol({ namePlace, args: [to, from, , direction] }: HostCallFacts, symbol: HostArgument, right: string): RuleFix[] {
  if (symbol.text !== symbol.symbol && symbol.text !== `&${symbol.symbol}`) return [];
  const expected = symbol === to ? 'cudaMemcpyHostToDevice' : 'cudaMemcpyDeviceToHost';
  if (direction.text !== expected || (symbol === to ? from : to).onDevice) return [];
  const edits = [
    { at: namePlace, newText: right },
    { at: symbol.place, newText: symbol.symbol! },
    { at: direction.place, newText: `0, ${direction.text}` },
  ];
  return [{ title: phrase('replaceWith', { name: right }), edits, safe: false }];
}
