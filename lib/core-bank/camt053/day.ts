import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { dayIn, type IsoDate, parseIsoDate } from "@/lib/domain/iso-date";
import { refuse } from "./statement-error";
import type { XmlElement } from "./xml-element";
import { find, need } from "./xml-path";

const DATE = /^(\d{4}-\d\d-\d\d)(?:Z|[+-]\d\d:\d\d)?$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** The `Dt` or `DtTm` in this element as a day of the bank. */
export function dayOf(element: XmlElement): IsoDate {
  const dateTime = find(element, "DtTm");
  if (dateTime !== undefined) return dayOfInstant(dateTime);
  const date = need(element, "Dt");
  const [, text] = DATE.exec(date.text) ?? [];
  const day = text === undefined ? undefined : parseIsoDate(text);
  return day ?? refuse(date, "is no date");
}

/** An instant falls on the bank's local day; a time without an offset is local already. */
function dayOfInstant(element: XmlElement): IsoDate {
  const [, text, time, offset] = DATE_TIME.exec(element.text) ?? [];
  const day = text === undefined ? undefined : parseIsoDate(text);
  const instant = new Date(`${day}T${time}${offset ?? "Z"}`);
  if (day === undefined || Number.isNaN(instant.getTime())) {
    return refuse(element, "is no date and time");
  }
  return offset === undefined ? day : dayIn(aspspProfile.timeZone, instant);
}
