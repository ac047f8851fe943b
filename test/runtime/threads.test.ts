/** Threads run one after the other: a wait for what did not come before is a fault that says for what. */
import { describe, expect, it } from 'vitest';
import { repository, textReport } from './simulation.ts';

const file = `${repository}/test/fixtures/linux/waits.cpp`;
const headers = ['condition_variable', 'cstdio', 'mutex', 'thread', 'pthread.h', 'semaphore.h', 'omp.h']
  .map((name) => `#include <${name}>\n`)
  .join('');

async function faultOf(body: string) {
  const report = await textReport(`${headers}${body}`, { file });
  expect(report.stdout).toBe('');
  expect(report.exit).toBe(1);
  return report.faults;
}

describe('a wait that cannot end', () => {
  it.each([
    [
      'a mutex that is held',
      'std::mutex m; void work() { m.lock(); } int main() { m.lock(); std::thread(work).join(); puts("never"); }',
      'work',
    ],
    [
      'a condition variable that is signalled',
      'void work() { std::mutex m; std::condition_variable c; std::unique_lock<std::mutex> l(m); c.wait(l); } int main() { std::thread(work).join(); puts("never"); }',
      'work',
    ],
    ['a semaphore that is raised', 'int main() { sem_t s; sem_init(&s, 0, 0); sem_wait(&s); puts("never"); }', 'main'],
    [
      'other threads at a barrier',
      'pthread_barrier_t b; int main() { pthread_barrier_init(&b, nullptr, 2); pthread_barrier_wait(&b); puts("never"); }',
      'main',
    ],
  ])('for %s is a fault', async (what, body, where) => {
    const faults = await faultOf(body);
    expect(faults).toHaveLength(1);
    expect(faults[0].kind).toBe('deadlock');
    expect(faults[0].message).toContain(
      `waits for ${what} in ${where}, which never happens: the simulator runs threads one after the other`,
    );
  });

  it('for a value that only another thread would change is one, too', async () => {
    const faults = await faultOf(
      '#include <atomic>\nstd::atomic<bool> go{false}; void wait() { while (!go) std::this_thread::yield(); }\nint main() { std::thread t(wait); go = true; t.join(); puts("never"); }',
    );
    expect(faults[0].message).toContain('waits for a value that another thread changes in wait, which never happens');
  });
});

it('is noted once that threads and teams ran one after the other', async () => {
  const threads = await textReport(`${headers}int main() { for (int i = 0; i < 3; i++) std::thread([] {}).join(); }`, { file });
  expect(threads.notes).toEqual(['threads of the host program ran one after the other, each when it was created']);
  const team = await textReport(`${headers}int main() {\n#pragma omp parallel\n{}\n}`, { file });
  expect(team.notes).toEqual(['OpenMP regions of the host program ran with one thread']);
});
