/** For news of which only the newest counts: passes at most one on per interval, and always the last. */
export function latestOnly(send: (news: string) => void, intervalMs: number): (news: string) => void {
  let waiting: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const tick = () => {
    timer = undefined;
    if (waiting !== undefined) pass(waiting);
    waiting = undefined;
  };
  const pass = (news: string) => {
    send(news);
    timer = setTimeout(tick, intervalMs);
    timer.unref();
  };
  return (news) => {
    if (timer) waiting = news;
    else pass(news);
  };
}
