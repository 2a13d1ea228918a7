/**
 * What the offline search costs: building an index over 100,000 passages, and a query, against a scan of all passages that
 * ranks them by the same formula. CPU times are of this machine; the ratios travel.
 *   npm run build && node bench/search.mjs [passages]
 */
import { bm25 } from '../dist/benchmarks/bamboogle/bm25.js';
import { termsOf } from '../dist/benchmarks/bamboogle/terms.js';
import { createRng } from '../dist/core/rng.js';

const PASSAGES = Number(process.argv[2] ?? 100_000);
const WORDS = 80;
const VOCABULARY = 200_000;
const QUERIES = 500;
const SCANNED = 5;
const K = 5;

const rng = createRng('search');

/** Words as common as in a language: the n-th in proportion to 1/n. */
const word = () => `w${Math.floor(VOCABULARY ** rng.next()).toString(36)}`;
const text = (words) => Array.from({ length: words }, word).join(' ');
const passages = Array.from({ length: PASSAGES }, () => ({ title: text(3), text: text(WORDS) }));
// What a model asks: a few words of some passage, common and rare ones.
const queries = Array.from({ length: QUERIES }, () => {
  const words = passages[rng.int(PASSAGES)].text.split(' ');
  return Array.from({ length: 8 }, () => words[rng.int(words.length)]).join(' ');
});

/** CPU time: whatever else the machine does costs nothing here. */
function timed(work) {
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  return { value, ms: (user + system) / 1000 };
}

/** BM25 without an index: every passage is read for every query. */
function scan(query, k) {
  const wanted = [...new Set(termsOf(query))];
  const counts = passages.map(({ title, text }) => {
    const terms = termsOf(`${title}\n${text}`);
    return { length: terms.length, of: wanted.map((term) => terms.filter((t) => t === term).length) };
  });
  const mean = counts.reduce((sum, { length }) => sum + length, 0) / counts.length;
  const rarity = wanted.map((_, i) => {
    const n = counts.filter(({ of }) => of[i] > 0).length;
    return Math.log(1 + (counts.length - n + 0.5) / (n + 0.5));
  });
  return counts
    .map(({ length, of }, index) => ({
      index,
      score: of.reduce((sum, c, i) => sum + (rarity[i] * c * 2.2) / (c + 1.2 * (0.25 + (0.75 * length) / mean)), 0),
    }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, k);
}

const { value: index, ms: build } = timed(() => bm25(passages));
for (const query of queries.slice(0, 50)) index.search(query, K);
const times = queries.map((query) => timed(() => index.search(query, K)).ms).sort((a, b) => a - b);
const median = times[times.length >> 1];
const worst = times.at(-1);

const scans = queries.slice(0, SCANNED).map((query) => ({ query, ...timed(() => scan(query, K)) }));
const scanMs = scans.reduce((sum, { ms }) => sum + ms, 0) / scans.length;
const same = scans.filter(({ query, value }) => {
  const found = index.search(query, K);
  // Scores are kept in single precision: of near equals either may come first.
  return value.every(({ score }, i) => Math.abs(score - found[i].score) < 1e-4 * score);
}).length;

console.log(`${PASSAGES} passages of ${WORDS} words, ${index.terms} terms`);
console.log(`build          ${(build / 1000).toFixed(2)} s   ${(build / scanMs).toFixed(1)} scans`);
console.log(`query, median  ${median.toFixed(2)} ms   ${Math.round(scanMs / median)} times as fast as a scan`);
console.log(`query, worst   ${worst.toFixed(2)} ms   ${Math.round(scanMs / worst)} times as fast as a scan`);
console.log(`same results as the scan for ${same} of ${scans.length} queries`);
