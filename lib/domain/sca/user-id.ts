/**
 * A user ID as it is meant, however it was typed. The directory finds a PSU by it and failures are
 * counted by it: if the two differed, another spelling would give another five tries.
 */
export function meantUserId(typed: string): string {
  return typed.trim().toLowerCase();
}
