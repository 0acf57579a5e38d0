/** Options that all kinds of the group share. */
export const COMMON = {
  names: 'path-segment',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
} as const;
