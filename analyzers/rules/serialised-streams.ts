import type { HostCallFacts, HostFunctionFacts } from '../model/file-facts.ts';
import type { Place } from '../syntax/source.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** The default stream waits for all others, and lets them wait: what goes there between them takes turns with everything. */
export const serialisedStreams = defineRule({
  id: 'serialised-streams',
  summary: 'Work in the default stream that keeps other streams from overlapping',
  category: 'launches',
  severity: 'warning',
  messages: {
    launch:
      '`{name}` goes to the default stream between works in {streams}: it waits for all of them, and those behind it wait for it, so that nothing overlaps; launch it in the stream that needs it (`<<<grid, block, 0, {stream}>>>`)',
    copy: '`{name}` goes to the default stream between works in {streams}: it waits for all of them, and those behind it wait for it, so that nothing overlaps; use `{async}` with the stream that needs it (`{stream}`), and pinned memory on the host',
  },
  *detectFile(file) {
    // Then it is a stream like others.
    if (/CUDA_API_PER_THREAD_DEFAULT_STREAM/.test(file.text)) return;
    for (const f of file.hostFunctions) {
      const works = f.calls.flatMap((call) => workOf(call));
      for (const { call, stream } of works) {
        if (stream !== undefined) continue;
        const beside = streamsBeside(f, call, works);
        if (!beside) continue;
        const { launch } = call;
        const data = { streams: phrase('code', { text: beside.join('`, `') }), stream: beside.at(-1)! };
        if (launch)
          yield { at: call.place, message: 'launch', data: { ...data, name: launch.kernelName }, fixes: inStream(call, data.stream) };
        else
          yield {
            at: call.namePlace,
            message: 'copy',
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

/** Streams that the work stands between, as they are written: others in each iteration of its loop, or one before and another behind. */
function streamsBeside(f: HostFunctionFacts, { order, loops }: HostCallFacts, works: readonly Work[]): readonly string[] | undefined {
  const loop = loops.at(-1);
  const beside = works.filter(({ call, stream }) => stream !== undefined && call.loops.at(-1) === loop && isBlocking(f, stream));
  const isWaiting = (from: number, to: number) => f.calls.some((call) => call.order > from && call.order < to && WAITS.test(call.name));
  const texts = (some: readonly Work[]) => [...new Set(some.map(({ stream }) => stream!))];
  if (loop && beside.some(({ call }) => call.launch)) {
    const changing = texts(beside).filter((text) => text.includes('['));
    const waits = f.calls.some((call) => WAITS.test(call.name) && call.loops.includes(loop));
    if (changing.length > 0 && !waits) return changing.slice(0, 1);
  }
  const before = beside.filter(({ call }) => call.order < order && !isWaiting(call.order, order));
  const behind = beside.filter(({ call }) => call.order > order && !isWaiting(order, call.order));
  const other = texts(behind).find((text) => !texts(before).includes(text));
  const [first] = before.filter(({ call }) => call.launch);
  return first && other !== undefined ? [first.stream!, other] : undefined;
}

const WAITS = /^cuda(Device|Stream|Event|Thread)Synchronize$/;

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
