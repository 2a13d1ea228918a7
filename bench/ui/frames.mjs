/** Frames a second while the pointer walks along the first chart of a page. */
export async function framesPerSecond(page, seconds) {
  await page.evaluate(() => {
    if (window.frames_ !== undefined) return;
    window.frames_ = 0;
    const count = () => {
      window.frames_++;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  const box = await page.locator('.plot .u-over').first().boundingBox();
  const from = performance.now();
  const before = await page.evaluate(() => window.frames_);
  for (let i = 0; performance.now() - from < seconds * 1000; i++) {
    await page.mouse.move(box.x + ((i * 7) % box.width), box.y + box.height / 2);
  }
  const frames = (await page.evaluate(() => window.frames_)) - before;
  return frames / ((performance.now() - from) / 1000);
}
