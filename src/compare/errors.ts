/** Something the user must change in what was asked of a comparison. */
export class CompareError extends Error {
  override readonly name = 'CompareError';
}
