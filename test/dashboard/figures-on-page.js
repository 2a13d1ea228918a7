/** In the page of a report: each figure, how many of its panels have marks, and what is wrong with them. */
(() => {
  const DRAWN = '.line, .thread, .mark, .seed, .whisker, .solved, .partial, .unsolved';
  const paper = getComputedStyle(document.body).backgroundColor;
  const width = document.documentElement.clientWidth;
  const isSeen = (shape) => {
    const { fill, stroke } = getComputedStyle(shape);
    return [fill, stroke].some((ink) => ink !== 'none' && ink !== paper);
  };
  const isInside = (box, frame, slack) =>
    box.left >= frame.left - slack &&
    box.right <= frame.right + slack &&
    box.top >= frame.top - slack &&
    box.bottom <= frame.bottom + slack;

  function problemsOf(svg) {
    const problems = [];
    const frame = svg.getBoundingClientRect();
    if (frame.width < 200 || frame.height < 50) problems.push(`it is ${frame.width} by ${frame.height}`);
    const shapes = [...svg.querySelectorAll(DRAWN)];
    const words = [...svg.querySelectorAll('text:not(.title)')].filter((text) => text.textContent !== '');
    // A panel without marks must say why.
    if (shapes.length === 0 && words.length === 0) problems.push('it is blank');
    for (const shape of shapes) {
      const box = shape.getBoundingClientRect();
      if (!isInside(box, frame, 2)) problems.push(`a ${shape.tagName} lies outside`);
      // An interval may have no width, when all seeds agree.
      const isPoint = Math.max(box.width, box.height) < 1 && !shape.matches('.whisker');
      if (isPoint) problems.push(`a ${shape.tagName} has no size`);
      if (!isSeen(shape)) problems.push(`a ${shape.tagName} has the colour of the paper`);
    }
    for (const text of words) {
      const box = text.getBoundingClientRect();
      if (box.left < -1 || box.right > width + 1) problems.push(`“${text.textContent}” leaves the page`);
      if (!isInside(box, frame, 14)) problems.push(`“${text.textContent}” leaves its panel`);
      // Labels inside an area stand on its colour, not on the paper.
      if (!isSeen(text) && !/\bon-/.test(text.getAttribute('class') ?? ''))
        problems.push(`“${text.textContent}” is not seen`);
    }
    return { marks: shapes.length, problems };
  }

  return [...document.querySelectorAll('figure')].map((figure) => {
    const found = [...figure.querySelectorAll('.panels svg')].map(problemsOf);
    return {
      id: figure.id,
      panels: found.filter(({ marks }) => marks > 0).length,
      problems: [...new Set(found.flatMap(({ problems }, i) => problems.map((text) => `panel ${i + 1}: ${text}`)))],
    };
  });
})();
