/** How much one message may ask for. A server states its own; these are generous for one machine. */
export interface WireLimits {
  /** Bytes of a body, unpacked. */
  maxBodyBytes: number;
  /** Data of one forward or forward_backward. */
  maxData: number;
  /** Tokens of one sequence. */
  maxTokens: number;
  /** Tokens of all sequences of one call. */
  maxBatchTokens: number;
  /** Samples of one prompt. */
  maxSamples: number;
}

export const WIRE_LIMITS: WireLimits = {
  maxBodyBytes: 64 << 20,
  maxData: 16_384,
  maxTokens: 131_072,
  maxBatchTokens: 4 << 20,
  maxSamples: 1024,
};
