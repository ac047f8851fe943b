/**
 * One process that analyses, and the watchdog over it: a question that takes too long, or that the process does not survive, fails; the
 * process is replaced, and the next question gets an answer. Questions are answered one at a time, about the newest texts.
 */
import type { Process } from '../../simulator/platform/platform.ts';
import type { AnalysisMessage, AnalysisRequest, Answers, Change, DocumentState, Question, QuestionOf } from './messages.ts';

export interface Limits {
  /** How long one question may take. */
  readonly seconds: number;
  readonly heapMb: number;
}

export interface LaneOptions {
  readonly start: () => Process;
  readonly limits: Limits;
  /** What a new process begins with. */
  readonly snapshot: () => Iterable<DocumentState>;
  readonly affected: (uris: readonly string[]) => void;
  /** Told what happened, for whoever looks for the reason. */
  readonly log: (text: string) => void;
}

/** The message says why, as the end of a sentence. */
export class AnalysisFailure extends Error {}

/** Nobody waits for the answer any more. */
export class Cancelled extends Error {}

interface Task {
  /** The process has been killed once already while it worked on this. */
  readonly isSecondTry?: boolean;
  readonly question: Question;
  readonly isCancelled: () => boolean;
  readonly resolve: (answer: Answers[keyof Answers]) => void;
  readonly reject: (error: Error) => void;
}

/** A process reads the grammars before its first answer. */
const START_SECONDS = 20;
const MOST_FAILED_STARTS = 3;
/** Changes that wait for a question. */
const MOST_WAITING_CHANGES = 500;

export class AnalysisLane {
  private readonly options: LaneOptions;
  private process: Process | undefined;
  private ready = false;
  private failedStarts = 0;
  private changes: Change[] = [];
  /** The editor's questions go before those that answer nobody's click or keystroke. */
  private readonly urgent: Task[] = [];
  private readonly others: Task[] = [];
  private current: Task | undefined;
  private id = 0;
  private watchdog: NodeJS.Timeout | undefined;

  constructor(options: LaneOptions) {
    this.options = options;
  }

  /** Ahead of the first question, since starting takes a while. */
  warmUp(): void {
    if (!this.process) this.start();
  }

  tell(change: Change): void {
    // A process that is not there yet will begin with a snapshot.
    if (!this.process) return;
    this.changes.push(change);
    if (this.changes.length === MOST_WAITING_CHANGES) this.ask({ kind: 'nothing' }, { urgent: false }).catch(() => undefined);
  }

  ask<Kind extends Question['kind']>(
    question: QuestionOf<Kind>,
    { urgent, isCancelled = () => false }: { readonly urgent: boolean; readonly isCancelled?: () => boolean },
  ): Promise<Answers[Kind]> {
    return new Promise((resolve, reject) => {
      const task: Task = { question, isCancelled, resolve: resolve as Task['resolve'], reject };
      (urgent ? this.urgent : this.others).push(task);
      this.next();
    });
  }

  /** Whoever still waits hears that nobody will answer. */
  end(): void {
    const waiting = [...(this.current ? [this.current] : []), ...this.urgent.splice(0), ...this.others.splice(0)];
    this.current = undefined;
    this.stop();
    for (const { reject } of waiting) reject(new Cancelled());
  }

  private stop(): void {
    clearTimeout(this.watchdog);
    const ended = this.process;
    this.process = undefined;
    this.ready = false;
    this.changes = [];
    ended?.kill();
  }

  private start(): void {
    const process = this.options.start();
    this.process = process;
    this.changes = [...this.options.snapshot()].map((document) => ({ kind: 'open', document }));
    process.keepAlive(false);
    process.listen({
      message: (message) => this.process === process && this.hear(message as AnalysisMessage),
      ended: (reason) => this.process === process && this.hearEnd(reason),
    });
    this.watch(START_SECONDS, 'starting took too long');
  }

  private watch(seconds: number, reason: string): void {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.lost(reason), 1000 * seconds);
  }

  private next(): void {
    if (this.current) return;
    const task = this.urgent.shift() ?? this.others.shift();
    if (!task) return;
    if (task.isCancelled()) {
      task.reject(new Cancelled());
      this.next();
      return;
    }
    this.current = task;
    if (!this.process) this.start();
    if (this.ready) this.send(task);
  }

  private send({ question }: Task): void {
    const { seconds } = this.options.limits;
    this.process?.send({ id: ++this.id, changes: this.changes, question } satisfies AnalysisRequest);
    this.changes = [];
    this.watch(seconds, `it takes more than ${seconds} seconds`);
  }

  private hear(message: AnalysisMessage): void {
    if (message.kind === 'ready') {
      clearTimeout(this.watchdog);
      this.ready = true;
      this.failedStarts = 0;
      if (this.current) this.send(this.current);
      return;
    }
    const task = this.current;
    if (!task || message.id !== this.id) return;
    if (message.kind === 'failed') {
      this.lost(message.reason, message.trace);
      return;
    }
    clearTimeout(this.watchdog);
    this.current = undefined;
    task.resolve(message.answer);
    if (message.affected.length > 0) this.options.affected(message.affected);
    this.next();
  }

  private hearEnd(reason: string): void {
    const task = this.current;
    if (isOutOfMemory(reason)) this.lost(`it takes more than ${this.options.limits.heapMb} MB of memory`);
    else if (!this.ready || !task || task.isSecondTry) this.lost(reason);
    else {
      // Somebody may have killed it before the question came: nothing that the file has done.
      this.current = undefined;
      this.urgent.unshift({ ...task, isSecondTry: true });
      this.lost(reason);
    }
  }

  /** The process has ended, hangs, or cannot be relied on. */
  private lost(reason: string, trace = ''): void {
    const wasReady = this.ready;
    const task = this.current;
    this.stop();
    this.current = undefined;
    const uri = task && 'uri' in task.question ? task.question.uri : undefined;
    this.options.log(`An analysis ended early${uri === undefined ? '' : ` (${uri})`}: ${reason}${trace && `\n${trace}`}`);
    if (wasReady) this.fail(uri, reason, task);
    else {
      if (task) this.urgent.unshift(task);
      if (++this.failedStarts >= MOST_FAILED_STARTS) this.failAll();
    }
    this.next();
  }

  /** All that was asked about the file: whatever it does to one question it would do to the others. */
  private fail(uri: string | undefined, reason: string, task: Task | undefined): void {
    const concerns = ({ question }: Task) => uri !== undefined && 'uri' in question && question.uri === uri;
    const failed = [...(task ? [task] : []), ...this.urgent.filter(concerns), ...this.others.filter(concerns)];
    for (const list of [this.urgent, this.others]) list.splice(0, list.length, ...list.filter((waiting) => !concerns(waiting)));
    for (const { reject } of failed) reject(new AnalysisFailure(reason));
  }

  private failAll(): void {
    this.failedStarts = 0;
    const all = [...this.urgent.splice(0), ...this.others.splice(0)];
    for (const { reject } of all) reject(new AnalysisFailure('the process that analyses does not start'));
  }
}

/** V8 aborts then: as a signal, or, where there are none, as the exit code that stands for it. */
function isOutOfMemory(reason: string): boolean {
  return /\b(SIGABRT|134)$/.test(reason);
}
