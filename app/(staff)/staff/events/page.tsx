import { Actions, Button } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { SelectField, TextField } from "@/components/form";
import { Lead } from "@/components/text";
import { kindsOfEvents } from "@/lib/domain/events";
import { eventsView } from "@/lib/staff/events";
import type { StaffFrame } from "@/lib/staff/page-loaders";
import { EVENTS } from "@/lib/staff/paths";
import type { PageProps } from "@/lib/staff/table";
import { StaffPage, staffPage } from "../../staff-page";

const EVERY_KIND = "";

export default async function EventsPage({ searchParams }: PageProps) {
  const asked = await searchParams;
  const load = (visit: StaffFrame["visit"]) => eventsView(visit, asked);
  return staffPage(
    { action: "see-events", path: EVENTS, load },
    (frame, { shown, table, next }) => {
      const { events: words, statistics } = frame.texts;
      const after = typeof asked["after"] === "string" ? { after: asked["after"] } : {};
      return (
        <StaffPage frame={frame} heading={words.heading}>
          <Lead>{words.lead}</Lead>
          <form
            method="get"
            action={EVENTS}
            className="flex flex-wrap items-end gap-4 print:hidden"
          >
            <TextField
              id="day"
              label={words.day}
              input={{ name: "day", type: "date", defaultValue: shown.day }}
            />
            <TextField
              id="hour"
              label={words.hour}
              input={{ name: "hour", type: "number", min: 0, max: 23, defaultValue: shown.hour }}
            />
            <SelectField
              id="kind"
              name="kind"
              label={words.columns.kind}
              chosen={shown.kind ?? EVERY_KIND}
              options={[
                [EVERY_KIND, words.everyKind],
                ...kindsOfEvents.map((kind) => [kind, kind] as const),
              ]}
            />
            <Actions>
              <Button kind="counter">{statistics.show}</Button>
            </Actions>
          </form>
          <DataTable
            {...{ frame, table, asked }}
            labelledBy="heading"
            keep={{ ...shown, ...after }}
            file="events"
          />
          {next !== undefined && (
            <p>
              <a href={`${EVENTS}${next}`}>{words.next}</a>
            </p>
          )}
        </StaffPage>
      );
    },
  );
}
