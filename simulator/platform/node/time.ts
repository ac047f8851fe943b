import { hrtime } from 'node:process';
import type { Time } from '../platform.ts';

export const time: Time = {
  nanoseconds: () => hrtime.bigint(),
  later(milliseconds, action) {
    const timer = setTimeout(action, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
