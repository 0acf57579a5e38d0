/** What all kinds of the group have in common. */
export const COMMON = {
  names: 'path-segment',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
} as const;
