import { Actions, Button } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { DayChart } from "@/components/day-chart";
import { TextField } from "@/components/form";
import { ReflowingCell, ReflowingRow, ReflowingTable } from "@/components/table";
import { Lead, Part } from "@/components/text";
import type { Counted } from "@/lib/domain/statistics";
import { loadStaffPage, type StaffFrame } from "@/lib/staff/page-loaders";
import { STATISTICS } from "@/lib/staff/paths";
import { statisticsView, sumsOf } from "@/lib/staff/statistics";
import { type PageProps, tableQuery } from "@/lib/staff/table";
import { dayColumns } from "@/lib/staff/tpps";
import { StaffPage, staffPage } from "../../staff-page";

export const dynamic = "force-dynamic";

const sums = {
  payments: "payment-status",
  refusals: "request-refused",
  proofs: "sca-proved",
  outcomes: "sca-status",
} as const satisfies Readonly<Record<string, Counted>>;

export default async function StatisticsPage({ searchParams }: PageProps) {
  const asked = await searchParams;
  const load = (visit: StaffFrame["visit"]) => statisticsView(visit, asked);
  const loading = loadStaffPage({ action: "see-statistics", path: STATISTICS, load });
  return staffPage(loading, (frame, view) => {
    const { texts, visit } = frame;
    const { statistics: words } = texts;
    const { timeZone } = visit.services.profile;
    const { span, days, given, countedTo } = view;
    const consents = view.consents.map(({ kind, status, count }) => {
      return { part: texts.permissionKinds[kind], value: status, count };
    });
    return (
      <StaffPage frame={frame} heading={words.heading}>
        {countedTo !== undefined && (
          <Lead>{words.counted(texts.instant(countedTo, timeZone))}</Lead>
        )}
        <SpanForm frame={frame} span={span} />
        <Part id="given" heading={words.given}>
          <DayChart label={words.given} unit={words.count} digits={0} days={given} />
        </Part>
        <SumTable frame={frame} name="consents" rows={consents} />
        {(Object.keys(sums) as (keyof typeof sums)[]).map((name) => (
          <SumTable key={name} frame={frame} name={name} rows={sumsOf(days, sums[name])} />
        ))}
        <Part id="all" heading={words.all}>
          <DataTable
            texts={texts.table}
            labelledBy="all"
            columns={dayColumns(texts)}
            rows={days}
            keyOf={({ day, what, value, part }) => [day, what, value, part].join()}
            query={tableQuery(asked)}
            path={STATISTICS}
            keep={span}
            csvPath={`${STATISTICS}/statistics.csv`}
          />
        </Part>
      </StaffPage>
    );
  });
}

type SpanProps = {
  readonly frame: StaffFrame;
  readonly span: { readonly from: string; readonly to: string };
};

/** Which days are shown. */
function SpanForm({ frame, span }: SpanProps) {
  const { statistics: words } = frame.texts;
  return (
    <form method="get" action={STATISTICS} className="flex flex-wrap items-end gap-4 print:hidden">
      {(["from", "to"] as const).map((name) => (
        <TextField
          key={name}
          id={name}
          label={words[name]}
          fault={undefined}
          input={{ name, type: "date", defaultValue: span[name] }}
        />
      ))}
      <Actions>
        <Button kind="counter">{words.show}</Button>
      </Actions>
    </form>
  );
}

type SumRow = {
  readonly value?: string | undefined;
  readonly part?: string | undefined;
  readonly count: number;
};
type SumProps = {
  readonly frame: StaffFrame;
  readonly name: "consents" | keyof typeof sums;
  readonly rows: readonly SumRow[];
};

function SumTable({ frame, name, rows }: SumProps) {
  const { statistics: words } = frame.texts;
  return (
    <Part id={name} heading={words[name]}>
      {rows.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <ReflowingTable labelledBy={name} columns={[words.part, words.value, words.count]}>
          {rows.map(({ value, part, count }) => (
            <ReflowingRow key={`${part} ${value}`}>
              <ReflowingCell label={words.part}>{part}</ReflowingCell>
              <ReflowingCell label={words.value}>{value}</ReflowingCell>
              <ReflowingCell label={words.count}>{count}</ReflowingCell>
            </ReflowingRow>
          ))}
        </ReflowingTable>
      )}
    </Part>
  );
}
