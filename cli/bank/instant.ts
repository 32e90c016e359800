import { parseIsoDate } from "@/lib/domain/values";

const SHAPE = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * An instant in ISO 8601 with its time zone, as in 2026-12-31T00:00:00Z; undefined when there is none of
 * that name. Without a zone it would be another instant on another machine.
 */
export function parseInstant(text: string): Date | undefined {
  const [, day] = SHAPE.exec(text) ?? [];
  const instant = new Date(text);
  const exists = day !== undefined && parseIsoDate(day) !== undefined;
  return exists && !Number.isNaN(instant.getTime()) ? instant : undefined;
}
