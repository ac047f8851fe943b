/** What is said of orders of threads whose results differ. */
import { expect, it } from 'vitest';
import { ordersView } from '../../server/orders.ts';

it('says of an order what it alone prints, or how many lines it lacks, and of stderr where that is all', () => {
  const run = (schedule: string, stdout: string, stderr = '') => ({ schedule, exit: 0, stdout, stderr });
  const said = (...runs: ReturnType<typeof run>[]) => ordersView(runs, []).results.map(({ orders, lines }) => [orders.join(), ...lines]);
  expect(said(run('as-launched', 'wrong 1\nwrong 2\n'), run('reversed', 'wrong 3\n'), run('adversarial', ''))).toEqual([
    ['as-launched', 'wrong 1', 'wrong 2'],
    ['reversed', 'wrong 3'],
    ['adversarial', '2 lines fewer'],
  ]);
  expect(said(run('as-launched', 'a\nb\n'), run('reversed', 'a\n'))).toEqual([
    ['as-launched', 'b'],
    ['reversed', '1 line fewer'],
  ]);
  expect(said(run('as-launched', 'a\n'), run('reversed', 'a\n', 'late'))).toEqual([
    ['as-launched', 'differs on stderr'],
    ['reversed', 'differs on stderr'],
  ]);
});
