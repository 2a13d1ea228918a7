/** Where BFCL's files come from: the leaderboard's repository, at the paper's commit for turns and at a newer one for single questions. */
import type { DataFile } from '../data.ts';

const DATA =
  'https://raw.githubusercontent.com/ShishirPatil/gorilla/{commit}/berkeley-function-call-leaderboard/bfcl_eval/data';

/** Our folder by commit. */
const COMMITS: Record<string, string> = {
  'paper-era-58f57e91': '58f57e9124ea981403792dd51e00a6577e621fae',
  'head-6ea57973': '6ea57973c7a6097fd7c5915698c54c17c5b1b6c8',
};

const FILES: readonly (readonly [path: string, bytes: number, sha256: string])[] = [
  [
    'paper-era-58f57e91/BFCL_v4_multi_turn_long_context.json',
    393662,
    '17898c71fc5ceca4538e812602bc0338efafe665594380094bd4288f10394f51',
  ],
  [
    'paper-era-58f57e91/possible_answer/BFCL_v4_multi_turn_long_context.json',
    115222,
    '387fae6ec3146c1fd4cce8b901a69b1ec7a0844aa211f425f79049d35dd0b433',
  ],
  [
    'paper-era-58f57e91/multi_turn_func_doc/gorilla_file_system.json',
    13951,
    '26c01bed25bf7affbc8d281cc8124ccdc220a64c374ac4a7a9181dea0a0468ee',
  ],
  [
    'paper-era-58f57e91/multi_turn_func_doc/math_api.json',
    9158,
    '83fa31708c89442bdcf12ac4dfbe3be8663ec9183a1b1524a9fda98164bc7e0b',
  ],
  [
    'paper-era-58f57e91/multi_turn_func_doc/message_api.json',
    6097,
    '2855068a0e77c4f1861fb2c1aa581590af85eb4b56994c6ebf79e30afb83be24',
  ],
  [
    'paper-era-58f57e91/multi_turn_func_doc/posting_api.json',
    10573,
    '87f9fc404a06e4107d7c366f1399c596440e84c16cb119faf374b2f532d86e8b',
  ],
  [
    'paper-era-58f57e91/multi_turn_func_doc/ticket_api.json',
    6577,
    '1d78a0bbc15ca2dca3a2228be690b8b929783b2715175cd05b80ee2106581897',
  ],
  [
    'paper-era-58f57e91/multi_turn_func_doc/trading_bot.json',
    14075,
    'c04b85e9ea0795a0fea1e1c3608795aa720edde52539b2e71897aa207976a25f',
  ],
  [
    'paper-era-58f57e91/multi_turn_func_doc/travel_booking.json',
    15840,
    '364ca923e25d17b26cb419367f2fd38c9706b440483c14ec3c6b567e21c48ab2',
  ],
  [
    'paper-era-58f57e91/multi_turn_func_doc/vehicle_control.json',
    17545,
    'a0366b59ad6eabb10410eadf95aa5991262ad0bbc3f560ebba45d7fc3e4f2808',
  ],
  [
    'head-6ea57973/BFCL_v4_irrelevance.json',
    159940,
    '2b6ed4c2e992cdcf5f1678a701851f944bef7550ee026ed1ddb89efed5be01a6',
  ],
  ['head-6ea57973/BFCL_v4_multiple.json', 316583, 'aef168155ebd74b7ac2401198b201343bc7d16d7a3d7e0d4e6d8ee82c6969b2a'],
  ['head-6ea57973/BFCL_v4_parallel.json', 171896, '19f51a82eff42e5d62541aa500115a056eb78f437c2ba1f10415fd7c8e5dda84'],
  [
    'head-6ea57973/BFCL_v4_parallel_multiple.json',
    347080,
    '8863ea8433239f55c5f016154cf0830853c89f693c6ea270396a2fa121960579',
  ],
  [
    'head-6ea57973/BFCL_v4_simple_python.json',
    283274,
    '82dd63ba502eb2520c6b5d1d9a5c4b590e03ff261565175561f6228a367d1991',
  ],
  [
    'head-6ea57973/possible_answer/BFCL_v4_multiple.json',
    32254,
    '244e00ce9395df948bcafc7bee64e8f9c87ef70887587d83cae45b13699f3047',
  ],
  [
    'head-6ea57973/possible_answer/BFCL_v4_parallel.json',
    66005,
    '8a6aa19c1adddc6a5a2f7e40f9dbf30cc7e95815e7b830c90589ab318229e0f0',
  ],
  [
    'head-6ea57973/possible_answer/BFCL_v4_parallel_multiple.json',
    74602,
    '5ebf24f458c1f16300c05505d83d6f0a1b68b79be273a033febd0d4f840507e3',
  ],
  [
    'head-6ea57973/possible_answer/BFCL_v4_simple_python.json',
    63627,
    '90cd5bc653690ee8e459b5b3f3fc9458606f7f3fcbf795bb51b7dc581f8c86dc',
  ],
];

export const BFCL_SOURCES: readonly DataFile[] = FILES.map(([path, bytes, sha256]) => {
  const [folder, ...rest] = path.split('/') as [string, ...string[]];
  return { path, url: [DATA.replace('{commit}', COMMITS[folder]!), ...rest].join('/'), bytes, sha256 };
});
