/** What all facts share: where in time and control flow they stand. */
import type { ControlFacts } from '../facts.ts';
import type { Moment } from '../values.ts';
import type { Finisher } from './finisher.ts';

export function located(f: Finisher, m: Moment) {
  return {
    place: m.place,
    order: m.order,
    control: f.control(m.path, m.loops),
    functionName: m.functionName,
    callSite: m.callSite,
    epoch: m.epoch,
  };
}

/** For facts of which a kernel has many. */
export class Located {
  protected readonly f: Finisher;
  private readonly m: Moment;

  constructor(f: Finisher, m: Moment) {
    this.f = f;
    this.m = m;
  }

  get place(): Moment['place'] {
    return this.m.place;
  }

  get order(): number {
    return this.m.order;
  }

  get control(): ControlFacts {
    return this.f.control(this.m.path, this.m.loops);
  }

  get functionName(): string {
    return this.m.functionName;
  }

  get callSite(): Moment['callSite'] {
    return this.m.callSite;
  }

  get epoch(): number {
    return this.m.epoch;
  }
}
