/** What a statement file may be at most: a year of a busy account is below both. */
export const camt053Limits = {
  fileBytesMax: 16 * 1024 * 1024,
  /** Start and end tags; each costs memory a hundred times its length. */
  tagsMax: 1_500_000,
  /** The deepest element the message definition has is at about half of it. */
  depthMax: 40,
} as const;
