/** Orders in which a run may let blocks and warps take turns (docs/sanitizer.md). */

export const SCHEDULES = ['as-launched', 'reversed', 'random', 'adversarial'] as const;
export type ScheduleName = (typeof SCHEDULES)[number];

export interface ScheduleChoice {
  readonly kind: ScheduleName;
  /** Of a random one. */
  readonly seed: number;
}

/** NAME, or random:SEED. undefined for anything else. */
export function scheduleNamed(text: string): ScheduleChoice | undefined {
  const [, name, seed] = /^([a-z-]+)(?::(\d{1,9}))?$/.exec(text) ?? [];
  const kind = SCHEDULES.find((each) => each === name);
  if (!kind || (seed !== undefined && kind !== 'random')) return undefined;
  return { kind, seed: Number(seed ?? 1) };
}

export function scheduleName({ kind, seed }: ScheduleChoice): string {
  return kind === 'random' ? `random:${seed}` : kind;
}

/** So many different ones: those with a name first. */
export function severalSchedules(count: number): readonly ScheduleChoice[] {
  const named = (['as-launched', 'reversed', 'adversarial'] as const).map((kind) => ({ kind, seed: 1 }));
  return Array.from({ length: count }, (_, index) => named[index] ?? { kind: 'random', seed: index - named.length + 1 });
}

export function isAsLaunched(schedule: ScheduleChoice | undefined): boolean {
  return schedule === undefined || schedule.kind === 'as-launched';
}
