/**
 * Copy in, kernel, copy out, one after the other in a loop over pieces of an array: while a synchronous copy runs, the GPU waits.
 * Only loops whose copies move along a host array are meant; repeating one measurement is not. And copies that are asynchronous by name
 * alone, since their memory is pageable.
 */
import type { HostArgument } from '../model/facts.ts';
import type { FileFacts, HostCallFacts, HostFunctionFacts } from '../model/file-facts.ts';
import { defineRule } from './define-rule.ts';
import { sharesHostMemory } from './host-pointer-argument.ts';
import { phrase } from './phrases.ts';

export const serialTransfer = defineRule({
  id: 'serial-transfer',
  summary: 'Copies that could overlap with kernels and do not',
  category: 'launches',
  severity: 'information',
  messages: {
    serial:
      'copy, kernel and copy run one after the other in every iteration; use two streams, pinned host memory and cudaMemcpyAsync to overlap the copies of one chunk with the kernel of another',
    pageable:
      '`{name}` in stream `{stream}` copies pageable memory (`{pointer}`), which goes through a buffer of the driver and does not overlap with other work; allocate it with cudaMallocHost, or pin it with cudaHostRegister',
  },
  *detectFile(file) {
    const isPinned = sharesHostMemory(file);
    for (const f of file.hostFunctions) {
      const [first, ...others] = isPinned ? [] : pageableCopies(f, file);
      if (first) {
        const related = others.map(({ pointer }) => ({ at: pointer.place, message: phrase('andHere') }));
        const { call, stream, pointer } = first;
        yield {
          at: pointer.place,
          message: 'pageable',
          subject: 'pageable',
          data: { name: call.name, stream, pointer: pointer.text },
          related,
        };
      }
      const copy = serialLoop(f);
      if (copy) yield { at: copy.namePlace, message: 'serial' };
    }
  },
});

interface PageableCopy {
  readonly call: HostCallFacts;
  readonly stream: string;
  readonly pointer: HostArgument;
}

/** To or from what `malloc`, `new`, a `std::vector` or the stack gave, in a stream of its own: where another one has work, the two were meant to overlap. */
function pageableCopies(f: HostFunctionFacts, file: FileFacts): PageableCopy[] {
  const { calls, launches } = f;
  if (!launches.some(({ stream }) => stream === 'named')) return [];
  let vectors: ReadonlySet<string> | undefined;
  const next = ({ order }: HostCallFacts) => calls.find((call) => call.order > order);
  const copies = calls.flatMap((call): PageableCopy[] => {
    const [to, from, size, , stream] = call.args;
    if (call.name !== 'cudaMemcpyAsync' || !stream || /^(0|NULL|nullptr)$/.test(stream.text)) return [];
    // Nothing goes on beside a copy that the program waits for at once.
    if (call.loops.length === 0 && WAITS.has(next(call)?.name ?? '')) return [];
    const way = direction(call);
    const pointer = way && (way === 'in' ? from : to);
    const isPageable = pointer && (pointer.onHost || isVectorData(pointer.text, () => (vectors ??= vectorsOf(f, file))));
    // A number or two is no transfer that anybody waits for.
    const isSmall = pointer?.onHost === 'stack' || (size.value !== undefined && size.value < MANY_BYTES);
    return pointer && isPageable && !isSmall ? [{ call, stream: stream.text, pointer }] : [];
  });
  const streams = new Set([...copies.map(({ stream }) => stream), ...launches.flatMap(({ streamText }) => streamText ?? [])]);
  return streams.size > 1 || copies.some(({ call, stream }) => call.loops.length > 0 || stream.includes('[')) ? copies : [];
}

const MANY_BYTES = 64 << 10;
const WAITS: ReadonlySet<string> = new Set(['cudaStreamSynchronize', 'cudaDeviceSynchronize']);

/** `v.data()`, or a place behind it. */
function isVectorData(pointer: string, vectors: () => ReadonlySet<string>): boolean {
  const [, name] = /^(\w+)\.data\(\)\s*(?:$|\+)/.exec(pointer) ?? [];
  return name !== undefined && vectors().has(name);
}

/** What the function declares as `std::vector<T>`. One with an allocator may be pinned, and so may be what other functions give it. */
function vectorsOf({ name, place, namePlace }: HostFunctionFacts, { text }: FileFacts): ReadonlySet<string> {
  if (!text.startsWith(name, namePlace.item.start + namePlace.start)) return new Set();
  const own = text.slice(place.item.start + place.start, place.item.start + place.end);
  const declarations = own.matchAll(/\bstd::vector<[^<>,;(){}]+>\s+(?=\w)([^;]*);/g);
  return new Set([...declarations].flatMap(([, declarators]) => namesAmong(declarators)));
}

/** `a` and `b` of `a(n), b = {1, 2}`. */
function namesAmong(declarators: string): string[] {
  let outer = declarators;
  for (let inner = ''; inner !== outer; ) {
    inner = outer;
    outer = inner.replace(/\([^(){}]*\)|\{[^(){}]*\}/g, '');
  }
  return outer.split(',').flatMap((part) => /^\s*(\w+)/.exec(part)?.[1] ?? []);
}

function serialLoop(f: HostFunctionFacts): HostCallFacts | undefined {
  for (const launch of f.calls) {
    const loop = launch.launch && launch.loops.at(-1);
    if (!loop) continue;
    const copies = f.calls.filter((call) => call.name === 'cudaMemcpy' && call.loops.includes(loop));
    const into = copies.find((call) => call.order < launch.order && direction(call) === 'in');
    const out = copies.find((call) => call.order > launch.order && direction(call) === 'out');
    if (into && out && (moves(into.args[1]?.text) || moves(out.args[0]?.text))) return into;
  }
  return undefined;
}

function direction(call: HostCallFacts): 'in' | 'out' | undefined {
  const kind = call.args[3]?.text ?? '';
  return kind.includes('HostToDevice') ? 'in' : kind.includes('DeviceToHost') ? 'out' : undefined;
}

/** The host pointer is a place in an array: `in + offset`, `&in[offset]`. */
function moves(pointer: string | undefined): boolean {
  return pointer !== undefined && /\+|&\s*\w+\s*\[(?!\s*0\s*\])/.test(pointer);
}
