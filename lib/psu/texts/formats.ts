import { dayIn, type IsoDate } from "@/lib/domain/iso-date";

export type Formats = { readonly locale: string; readonly and: string };

export function day({ locale }: Formats, date: IsoDate): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  return format.format(new Date(`${date}T00:00:00Z`));
}

export function time({ locale }: Formats, instant: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone });
  return format.format(instant);
}

export function dayAndTime(formats: Formats, instant: Date, timeZone: string): string {
  return `${day(formats, dayIn(timeZone, instant))}, ${time(formats, instant, timeZone)}`;
}

/** `a, b and c` */
export function listed({ and }: Formats, parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${and} ${parts.at(-1)}`;
}
