/** Peak memory of a process that trains M and does nothing else. */
import { openBench } from './ours.mjs';

const bench = await openBench(process.argv[2], Number(process.argv[3]));
for (let i = 0; i < 4; i++) await bench.trainStep();
await bench.close();
console.log(process.resourceUsage().maxRSS * 1024);
