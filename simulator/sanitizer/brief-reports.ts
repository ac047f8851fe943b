/** What is told of barriers and masks in a run of which nobody has asked for more: what every run names by itself is not named twice. */
import type { LanesAt, MeetingReports } from './meeting-checks.ts';

export class BriefReports implements MeetingReports {
  readonly #all: MeetingReports;

  constructor(all: MeetingReports) {
    this.#all = all;
  }

  incomplete(): void {
    // Whether a barrier stands in a condition is known of programs alone that were compiled for the sanitizer.
  }

  incompleteGrid(): void {
    // The scheduler tells.
  }

  absent(): void {
    // The scheduler tells.
  }

  different(a: LanesAt, b: LanesAt): void {
    this.#all.different(a, b);
  }

  leftOut(at: LanesAt, members: number, lane: number): void {
    this.#all.leftOut(at, members, lane);
  }

  readsAbsent(at: LanesAt, members: number, lane: number, source: number): void {
    this.#all.readsAbsent(at, members, lane, source);
  }
}
