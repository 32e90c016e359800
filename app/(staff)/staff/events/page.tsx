import { Actions, Button } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { TextField } from "@/components/form";
import { Lead } from "@/components/text";
import { eventsView } from "@/lib/staff/events";
import { loadStaffPage, type StaffFrame } from "@/lib/staff/page-loaders";
import { EVENTS } from "@/lib/staff/paths";
import type { PageProps } from "@/lib/staff/table";
import { StaffPage, staffPage } from "../../staff-page";

export const dynamic = "force-dynamic";

export default async function EventsPage({ searchParams }: PageProps) {
  const asked = await searchParams;
  const load = (visit: StaffFrame["visit"]) => eventsView(visit, asked);
  const loading = loadStaffPage({ action: "see-events", path: EVENTS, load });
  return staffPage(loading, (frame, { day, hour, table, next }) => {
    const { events: words, statistics } = frame.texts;
    const after = typeof asked["after"] === "string" ? { after: asked["after"] } : {};
    return (
      <StaffPage frame={frame} heading={words.heading}>
        <Lead>{words.lead}</Lead>
        <form method="get" action={EVENTS} className="flex flex-wrap items-end gap-4 print:hidden">
          <TextField
            id="day"
            label={words.day}
            fault={undefined}
            input={{ name: "day", type: "date", defaultValue: day }}
          />
          <TextField
            id="hour"
            label={words.hour}
            fault={undefined}
            input={{ name: "hour", type: "number", min: 0, max: 23, defaultValue: hour }}
          />
          <Actions>
            <Button kind="counter">{statistics.show}</Button>
          </Actions>
        </form>
        <DataTable
          {...{ frame, table, asked }}
          labelledBy="heading"
          keep={{ day, hour, ...after }}
          file="events"
        />
        {next !== undefined && (
          <p>
            <a href={`${EVENTS}${next}`}>{words.next}</a>
          </p>
        )}
      </StaffPage>
    );
  });
}
