import { say } from '../text/sentences.js';
import { paintGroups, paintKeys, paintServers } from './key-axis.js';
import { paintByRegion, paintByTime, paintShare } from './margins.js';
import { paintNow } from './marks.js';
import { inside } from './scene.js';
import { timeTicks } from './time-axis.js';

/** @import { Pyramid } from './pyramid.js' */
/** @import { Pen, Scene } from './scene.js' */

/**
 * Draws the figure but for what follows the pointer.
 * @param {Pen} pen
 * @param {Scene} scene
 * @param {Pyramid} pyramid
 * @param {number} dots pixels of the device in one of the page
 * @param {number | null} server whose regions are marked
 */
export function paint(pen, scene, pyramid, dots, server = null) {
  const { layout, span } = scene;
  const { plot } = layout;
  pen.clearRect(0, 0, layout.width, layout.height);
  pen.imageSmoothingEnabled = false;
  const cut = pyramid.cut(span, plot.width * dots, plot.height * dots);
  inside(pen, plot, () => {
    pen.drawImage(cut.bitmap, cut.x, cut.y, cut.wide, cut.high, plot.x, plot.y, plot.width, plot.height);
  });
  paintKeys(pen, scene);
  paintGroups(pen, scene);
  paintServers(pen, scene, server);
  paintByRegion(pen, scene);
  if (layout.timed) {
    paintByTime(pen, scene);
    paintShare(pen, scene);
  }
  paintNow(pen, scene);
  paintAxis(pen, scene);
}

/** @param {Pen} pen @param {Scene} scene */
function paintAxis(pen, { layout: { plot, axisY }, sheet: { time }, span, look, x }) {
  pen.font = look.font;
  pen.fillStyle = look.muted;
  pen.textBaseline = 'top';
  pen.textAlign = 'left';
  if (!time) {
    pen.fillText(say('page.no-time'), plot.x, axisY + 8);
    return;
  }
  const length = time.step * time.buckets;
  const [start, end] = [time.start + span.x0 * length, time.start + span.x1 * length];
  const ticks = timeTicks(start, end, Math.max(3, Math.floor(plot.width / 64)));
  let free = plot.x - 20;
  for (const { at, label } of ticks) {
    const place = x((at - time.start) / length);
    const wide = pen.measureText(label).width;
    const left = Math.max(plot.x, Math.min(place - wide / 2, plot.x + plot.width - wide));
    pen.fillStyle = look.line;
    pen.fillRect(Math.round(place), axisY, 1, 5);
    if (left < free) continue;
    pen.fillStyle = look.muted;
    pen.fillText(label, left, axisY + 8);
    free = left + wide + 12;
  }
}
