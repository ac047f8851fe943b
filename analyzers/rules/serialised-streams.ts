import type { HostArgument } from '../model/facts.ts';
import type { HostCallFacts, HostFunctionFacts } from '../model/file-facts.ts';
import type { Place } from '../syntax/source.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

/**
 * The default stream waits for all others, and lets them wait: what goes there between them takes turns with everything. Nothing is said
 * where it may be there for that: it uses what several streams work on, or the host waits for what it brings.
 */
export const serialisedStreams = defineRule({
  id: 'serialised-streams',
  summary: 'Work in the default stream that keeps other streams from overlapping',
  category: 'launches',
  severity: 'warning',
  messages: {
    launch:
      '`{name}` goes to the default stream between works in {streams}: it waits for all of them, and those behind it wait for it, so that works before and behind it cannot overlap; launch it in the stream that needs it (`<<<grid, block, 0, {stream}>>>`)',
    copy: '`{name}` goes to the default stream between works in {streams}: it waits for all of them, and those behind it wait for it, so that works before and behind it cannot overlap; use `{async}` with the stream that needs it (`{stream}`), and pinned memory on the host',
    fill: '`{name}` goes to the default stream between works in {streams}: it waits for all of them, and those behind it wait for it, so that works before and behind it cannot overlap; use `{async}` with the stream that needs it (`{stream}`)',
  },
  *detectFile(file) {
    // Then it is a stream like others.
    if (/CUDA_API_PER_THREAD_DEFAULT_STREAM/.test(file.text)) return;
    for (const f of file.hostFunctions) {
      const works = f.calls.flatMap((call) => workOf(call));
      const inDefault = works.flatMap(({ call, stream }) => (stream === undefined ? [call] : []));
      if (inDefault.length === 0 || inDefault.length === works.length) continue;
      const joining = new Set(inDefault.filter((call) => joins(call, works)));
      const waits = f.calls.filter((call) => isWaiting(call) || joining.has(call));
      for (const call of inDefault) {
        if (waits.includes(call)) continue;
        const beside = streamsBeside(f, call, { works, waits });
        if (!beside) continue;
        const { launch } = call;
        const data = { streams: phrase('code', { text: beside.join('`, `') }), stream: beside.at(-1)! };
        if (launch)
          yield {
            at: call.place,
            message: 'launch',
            data: { ...data, name: launch.kernelName },
            fixes: beside.length === 1 ? inStream(call, data.stream) : [],
          };
        else
          yield {
            at: call.namePlace,
            message: hasHostMemory(call) ? 'copy' : 'fill',
            data: { ...data, name: call.name, async: `${call.name.replace(/Async$/, '')}Async` },
          };
        // The others of the loop, or between these two, are the same matter.
        break;
      }
    }
  },
});

/** A launch, a copy or a fill, and the stream that it names; none for the default stream. */
interface Work {
  readonly call: HostCallFacts;
  readonly stream: string | undefined;
}

/** Which argument of theirs is the stream. */
const STREAM_ARGUMENTS: Readonly<Record<string, number>> = {
  cudaMemcpy: Number.POSITIVE_INFINITY,
  cudaMemset: Number.POSITIVE_INFINITY,
  cudaMemcpyAsync: 4,
  cudaMemsetAsync: 3,
};

function workOf(call: HostCallFacts): Work[] {
  const { launch, name, args } = call;
  if (launch) return launch.api === 'triple-chevron' ? [{ call, stream: launch.stream === 'named' ? launch.streamText : undefined }] : [];
  const at = STREAM_ARGUMENTS[name];
  if (at === undefined) return [];
  const text = args[at]?.text;
  return [{ call, stream: text === undefined || /^(0|NULL|nullptr|cudaStreamDefault|cudaStreamLegacy)$/.test(text) ? undefined : text }];
}

/** What a function puts into streams, and where it, or the default stream, is to wait for them. */
interface Order {
  readonly works: readonly Work[];
  readonly waits: readonly HostCallFacts[];
}

/** Streams that the work stands between, as they are written: others in each iteration of its loop, or one before and another behind. */
function streamsBeside(f: HostFunctionFacts, { order, loops }: HostCallFacts, { works, waits }: Order): readonly string[] | undefined {
  const loop = loops.at(-1);
  const beside = works.filter(({ call, stream }) => stream !== undefined && call.loops.at(-1) === loop && isBlocking(f, stream));
  const isWaitedFor = (from: number, to: number) => waits.some((call) => call.order > from && call.order < to);
  const texts = (some: readonly Work[]) => [...new Set(some.map(({ stream }) => stream!))];
  if (loop && beside.some(({ call }) => call.launch)) {
    const changing = texts(beside).filter((text) => indicesOf(text).length > 0);
    if (changing.length > 0 && !waits.some((call) => call.loops.includes(loop))) return changing;
  }
  const before = beside.filter(({ call }) => call.order < order && !isWaitedFor(call.order, order));
  const behind = beside.filter(({ call }) => call.order > order && !isWaitedFor(order, call.order));
  const other = texts(behind).find((text) => !texts(before).includes(text));
  const [first] = before.filter(({ call }) => call.launch);
  return first && other !== undefined ? [first.stream!, other] : undefined;
}

/** The host waits for the GPU there, or the stream for another one. */
function isWaiting({ name, args }: HostCallFacts): boolean {
  if (name === 'cudaMemcpy') return !/HostToDevice|DeviceToDevice/.test(args[3]?.text ?? '');
  return /^cuda((Device|Stream|Event|Thread)Synchronize|(Stream|Event)Query|StreamWaitEvent)$/.test(name);
}

/**
 * The order that the default stream gives may be wanted: the work uses what named streams work on. Not where that is one stream, `s[i]`, and
 * all is an iteration's own, `v[i]`; then it belongs to that stream.
 */
function joins(call: HostCallFacts, works: readonly Work[]): boolean {
  const loop = call.loops.at(-1);
  const named = works.filter(({ call: other, stream }) => stream !== undefined && (!loop || other.loops.includes(loop)));
  const pointers = pointersOf(call);
  const sharing = named.filter((work) => pointersOf(work.call).some((pointer) => pointers.some((own) => isSame(own, pointer))));
  const streams = new Set((loop ? named : sharing).map(({ stream }) => stream!));
  if (streams.size === 0) return false;
  const [stream] = streams;
  const indices = streams.size === 1 ? indicesOf(stream) : [];
  if (indices.length === 0) return sharing.length > 0;
  const isOwn = ({ text }: HostArgument) => wordsOf(text).some((word) => indices.includes(word));
  const others = sharing.flatMap((work) => pointersOf(work.call));
  return !pointers.every((own) => isOwn(own) && others.every((other) => !isSame(own, other) || own.text === other.text));
}

/** Arguments that are, or may be, pointers. */
function pointersOf({ launch, name, args }: HostCallFacts): readonly HostArgument[] {
  if (!launch) return args.slice(0, name.startsWith('cudaMemset') ? 1 : 2);
  return launch.args.filter(({ value }, i) => {
    const kinds = launch.kernel?.variants.map(({ parameters }) => parameters[i]?.type.kind ?? 'unknown') ?? [];
    return value === undefined && !(kinds.length > 0 && kinds.every((kind) => /^(integer|float|bool)$/.test(kind)));
  });
}

function isSame(a: HostArgument, b: HostArgument): boolean {
  const [name, other] = [a, b].map(({ variable, text }) => variable ?? text);
  return name === other || (a.pointsInto !== undefined && a.pointsInto.name === b.pointsInto?.name);
}

/** `i` of `s[i % 2]`; constants are none. */
function indicesOf(stream: string): readonly string[] {
  return wordsOf(/\[(.*)\]/.exec(stream)?.[1] ?? '').filter((word) => /[a-z]/.test(word));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\b[A-Za-z_]\w*/g) ?? [];
}

function hasHostMemory({ name, args }: HostCallFacts): boolean {
  return name.startsWith('cudaMemcpy') && !args[3]?.text.includes('DeviceToDevice');
}

/** Made by the function, and not so that it goes beside the default stream. */
function isBlocking({ calls }: HostFunctionFacts, stream: string): boolean {
  const [variable] = /^\w+/.exec(stream) ?? [];
  const made = calls.filter(({ name, args }) => name.startsWith('cudaStreamCreate') && args[0]?.variable === variable);
  return (
    made.length > 0 && made.every(({ name, args }) => name === 'cudaStreamCreate' || /^(0|cudaStreamDefault)$/.test(args[1]?.text ?? ''))
  );
}

/** `<<<grid, block>>>` gets the stream. */
function inStream({ launch }: HostCallFacts, stream: string): RuleFix[] {
  const at: Place | undefined = launch?.blockPlace && { ...launch.blockPlace, start: launch.blockPlace.end };
  if (!at || launch?.sharedBytes !== 0) return [];
  return [{ title: phrase('launchIn', { stream }), edits: [{ at, newText: `, 0, ${stream}` }], safe: false }];
}
