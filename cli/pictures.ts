/** Files that show a run: what ran when, and its roofline. */
import { writeFileSync } from 'node:fs';
import type { Report } from '../protocol/report.ts';
import { chromeTrace } from '../simulator/timeline/chrome-trace.ts';
import { timelinePicture } from '../simulator/timeline/picture.ts';
import { rooflinePicture } from '../simulator/timeline/roofline.ts';

/** `timeline`: a picture where the file's name ends in .svg, else Chrome's trace format. A program without kernels has no roofline. */
export function writePictures(report: Report, { timeline, roofline }: { readonly timeline?: string; readonly roofline?: string }): void {
  if (timeline !== undefined && report.timeline) {
    const text = timeline.endsWith('.svg')
      ? timelinePicture(report.timeline, { alone: true }).svg
      : chromeTrace(report.timeline, report.program);
    writeFileSync(timeline, text);
  }
  if (roofline === undefined) return;
  const picture = rooflinePicture(report, { alone: true });
  if (picture) writeFileSync(roofline, `${picture.svg}\n`);
  else process.stderr.write('note: no roofline was written: no launch has an estimated time\n');
}
