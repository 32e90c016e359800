import { Actions, Button } from "@/components/button";
import { TablePart } from "@/components/data-table";
import { DayChart } from "@/components/day-chart";
import { TextField } from "@/components/form";
import { Lead, Part } from "@/components/text";
import type { StaffFrame } from "@/lib/staff/page-loaders";
import { STATISTICS } from "@/lib/staff/paths";
import { statisticsView } from "@/lib/staff/statistics";
import type { PageProps } from "@/lib/staff/table";
import { StaffPage, staffPage } from "../../staff-page";

export default async function StatisticsPage({ searchParams }: PageProps) {
  const asked = await searchParams;
  const load = (visit: StaffFrame["visit"]) => statisticsView(visit, asked);
  return staffPage({ action: "see-statistics", path: STATISTICS, load }, (frame, view) => {
    const { texts, visit } = frame;
    const { statistics: words } = texts;
    const { timeZone } = visit.services.profile;
    const { span, all, sums, given, countedTo } = view;
    const shared = { frame, asked, keep: span };
    return (
      <StaffPage frame={frame} heading={words.heading}>
        {countedTo !== undefined && (
          <Lead>{words.counted(texts.instant(countedTo, timeZone))}</Lead>
        )}
        <SpanForm frame={frame} span={span} />
        <Part id="given" heading={words.given}>
          <DayChart label={words.given} unit={words.count} digits={0} days={given} />
        </Part>
        {sums.map(({ name, table }) => (
          <TablePart
            {...{ ...shared, id: name, heading: words[name], table }}
            key={name}
            file={`sums/${name}`}
          />
        ))}
        <TablePart {...shared} id="all" heading={words.all} table={all} file="statistics" />
      </StaffPage>
    );
  });
}

type SpanProps = {
  readonly frame: StaffFrame;
  readonly span: { readonly from: string; readonly to: string };
};

function SpanForm({ frame, span }: SpanProps) {
  const { statistics: words } = frame.texts;
  return (
    <form method="get" action={STATISTICS} className="flex flex-wrap items-end gap-4 print:hidden">
      {(["from", "to"] as const).map((name) => (
        <TextField
          key={name}
          id={name}
          label={words[name]}
          input={{ name, type: "date", defaultValue: span[name] }}
        />
      ))}
      <Actions>
        <Button kind="counter">{words.show}</Button>
      </Actions>
    </form>
  );
}
