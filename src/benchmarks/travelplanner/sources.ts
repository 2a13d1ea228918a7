/** The public files, pinned: tables of an early commit that still had them, the rest from the evaluated one. */
import type { DataFile } from '../data.ts';

const OSU = 'https://raw.githubusercontent.com/OSU-NLP-Group/TravelPlanner';
const DATABASE = `${OSU}/958f30d7e7629d18f33d79183dedf9b2830ff88c`;
const QUERIES = `${OSU}/da7c1d41d51bf1d6e8592099bc109c9368b2dfe4`;
/** 102 validation queries with their reference information, as another project ships them. */
const GYM = 'https://raw.githubusercontent.com/SALT-NLP/collaborative-gym/1e3b02e9be9593d092833d8dee01b12359200bd9';

export const TRAVELPLANNER_SOURCES: readonly DataFile[] = [
  {
    path: 'database/accommodations/clean_accommodations_2022.csv',
    url: `${DATABASE}/database/accommodations/clean_accommodations_2022.csv`,
    bytes: 520458,
    sha256: '7e70cc8cb573e824267be47153a3cf7934c839f01c955fb523d18be405921d86',
  },
  {
    path: 'database/attractions/attractions.csv',
    url: `${DATABASE}/database/attractions/attractions.csv`,
    bytes: 817982,
    sha256: '8007fa851ba5b3adb205fbd298169c95116b297cef7ccd21dbea26ecce2605d8',
  },
  {
    path: 'database/background/citySet_with_states.txt',
    url: `${DATABASE}/database/background/citySet_with_states.txt`,
    bytes: 5921,
    sha256: 'a3d18b5c692857cd561cbb4ad8d221ac3eb6c47af7c787a3489e3ffa184ca4d6',
  },
  {
    path: 'database/googleDistanceMatrix/distance.csv',
    url: `${DATABASE}/database/googleDistanceMatrix/distance.csv`,
    bytes: 777824,
    sha256: '44726ca74a335fd2d4824fc748f8832813550bfead37376fd51d6521a93a8b3b',
  },
  {
    path: 'database/restaurants/clean_restaurant_2022.csv',
    url: `${DATABASE}/database/restaurants/clean_restaurant_2022.csv`,
    bytes: 683023,
    sha256: 'a38ef00a3398b1ef78306a9b1851c491723d27899c6a1d4a3d6fe042929c0f26',
  },
  {
    path: 'database/train_ref_info.jsonl',
    url: `${QUERIES}/database/train_ref_info.jsonl`,
    bytes: 1197800,
    sha256: 'f9eff8c9e3056c726c4bc46b8183a51efdf63760755b0183fa36f1c9f14b6e83',
  },
  {
    path: 'std_travelplanner.jsonl',
    url: `${QUERIES}/finetuning_data/std_travelplanner.jsonl`,
    bytes: 1425968,
    sha256: '1af188193644055ae95717dd4c6e4c92b6a4ca1b5a3833635b8ba9e54a26cf3c',
  },
  {
    path: 'example_evaluation.jsonl',
    url: `${QUERIES}/postprocess/example_evaluation.jsonl`,
    bytes: 336987,
    sha256: '50af8a77602f23b6e8365c264bc5feddb1e39c8703d4d9d91cc95c4f860961dd',
  },
  {
    path: 'validation_with_hidden_profile.csv',
    url: `${GYM}/datasets/TravelPlanner/validation_with_hidden_profile.csv`,
    bytes: 2980899,
    sha256: '988c763fa0e74fe8cdac8a2aff8f029d7eeb3b6a4f2a5fe248c4e6a45e5be521',
  },
];
