/**
 * What the compiler says of open files whose text rests: a while after the last keystroke a file's device code is compiled, and its kernels
 * are followed through it. Until the text changes again its findings are the compiler's; from then on they are the text's.
 */
import type { CompiledKernel } from '../protocol/compiled.ts';
import type { PredictionRequest, PredictionResult } from '../simulator/prediction-request.ts';
import type { ShapesAnswer } from './analysis/messages.ts';

export type Predict = (request: PredictionRequest) => Promise<PredictionResult>;

export interface CompiledFactsParts {
  readonly predict: Predict;
  /** All that a request says but the shapes; undefined where the compiler is not to be asked. */
  request(uri: string): Promise<Omit<PredictionRequest, 'shapes' | 'signal'> | undefined>;
  shapes(uri: string): Promise<ShapesAnswer | undefined>;
  /** The kernels of this version of the text. */
  found(uri: string, version: number, kernels: readonly CompiledKernel[]): void;
  failed(error: unknown): void;
}

/** Who pauses for longer looks at what is written. */
const PAUSE_MS = 1000;

interface Waiting {
  readonly timer: NodeJS.Timeout;
  readonly ending: AbortController;
}

export class CompiledFacts {
  private readonly parts: CompiledFactsParts;
  private readonly waiting = new Map<string, Waiting>();

  constructor(parts: CompiledFactsParts) {
    this.parts = parts;
  }

  /** The file has been opened or has changed. */
  changed(uri: string): void {
    this.forget(uri);
    const ending = new AbortController();
    const timer = setTimeout(() => {
      this.ask(uri, ending).catch((error: unknown) => {
        if (!ending.signal.aborted) this.parts.failed(error);
      });
    }, PAUSE_MS).unref();
    this.waiting.set(uri, { timer, ending });
  }

  forget(uri: string): void {
    const waiting = this.waiting.get(uri);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    waiting.ending.abort();
    this.waiting.delete(uri);
  }

  end(): void {
    for (const uri of [...this.waiting.keys()]) this.forget(uri);
  }

  private async ask(uri: string, { signal }: AbortController): Promise<void> {
    const { request, shapes, predict, found } = this.parts;
    const asked = await request(uri);
    if (!asked || signal.aborted) return;
    const known = await shapes(uri);
    if (!known || known.shapes.length === 0 || signal.aborted) return;
    const result = await predict({ ...asked, shapes: known.shapes, signal });
    // A text that does not compile is one that is being written.
    if (result.kind === 'predicted' && !signal.aborted) found(uri, known.version, result.kernels);
  }
}
