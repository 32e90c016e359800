import { notFound } from "next/navigation";
import { DayChart } from "@/components/day-chart";
import { BankPage } from "@/components/page";
import { ReflowingCell, ReflowingRow, ReflowingTable } from "@/components/table";
import { Card, Lead } from "@/components/text";
import type {
  ChannelDay,
  DayFigures,
  ProbedInterface,
  Quarter,
} from "@/lib/domain/interface-figures";
import {
  downtimeMinutes,
  milliseconds,
  type PublishedQuarter,
  percent,
  publishedQuarter,
  uptimeOf,
} from "@/lib/published-statistics";
import { services } from "@/lib/services";

type Props = { readonly searchParams: Promise<Readonly<Record<string, string | string[]>>> };

/** What RTS art. 32(4) has a bank publish each quarter. */
export default async function StatisticsPage({ searchParams }: Props) {
  const { quarter: name } = await searchParams;
  const published = await publishedQuarter(services(), typeof name === "string" ? name : undefined);
  if (published === undefined) notFound();
  const { bank, quarter, others, channels } = published;
  const { timeZone } = services().profile;
  return (
    <BankPage
      title={`Availability and performance - ${bank}`}
      bankName={bank}
      place="For TPPs"
      width="console"
    >
      <Card>
        <h1>Availability and performance, {inWords(quarter)}</h1>
        <Lead>
          Daily figures of the interface for TPPs and of this bank’s own pages for its customers
          (Regulation (EU) 2018/389, article 32(4)). A day is a local day of the bank, and is shown
          when it is over.
        </Lead>
        <p>
          <a href={`/statistics/${quarter.name}.csv`}>CSV</a>{" "}
          <a href={`/statistics/${quarter.name}.json`}>JSON</a>
        </p>
        <nav aria-label="Other quarters">
          {others.map((other) => (
            <span key={other.name} className="mr-3 inline-block">
              <a href={`/statistics?quarter=${other.name}`}>{inWords(other)}</a>
            </span>
          ))}
        </nav>
        <OfInterface of="xs2a" {...{ published, timeZone }} heading="Interface for TPPs" />
        <OfInterface of="pages" {...{ published, timeZone }} heading="Own pages for customers" />
        {channels.length > 0 && <Channels {...{ channels, quarter, timeZone }} />}
        <h2>How it is measured</h2>
        <p>
          A request is sent to each of the two every six seconds. Down is the time from the first of
          five without a reply within 30 seconds until the next one with a reply. A dash in a table
          and a gap in a chart stand where nothing was observed; the files say which part of each
          day was. Charts of downtime have planned and unplanned downtime together. Response times
          are the means of the requests that were granted; errors are the share of requests that
          failed for a reason of the bank’s or were left without an answer.
        </p>
      </Card>
    </BankPage>
  );
}

function inWords({ name }: Quarter): string {
  return `${name.slice(5)}th quarter of ${name.slice(0, 4)}`.replace(
    /^(1|2|3)th/,
    (_, nth: "1" | "2" | "3") => ({ 1: "1st", 2: "2nd", 3: "3rd" })[nth],
  );
}

type Area = keyof DayFigures["meanMilliseconds"];

const areasShown: Readonly<Record<ProbedInterface, readonly (readonly [Area, string])[]>> = {
  xs2a: [
    ["aisp", "Accounts"],
    ["pisp", "Payments"],
    ["cbpii", "Funds"],
    ["oauth", "OAuth"],
  ],
  pages: [["pages", "Pages"]],
};

const shares = ["Uptime %", "Planned downtime %", "Unplanned downtime %"];

type OfInterfaceProps = {
  readonly of: ProbedInterface;
  readonly heading: string;
  readonly published: PublishedQuarter;
  readonly timeZone: string;
};

function OfInterface({ of, heading, published, timeZone }: OfInterfaceProps) {
  const days = published.interfaces[of];
  const shown = areasShown[of];
  const means = shown.map(([area, name]): Chart<DayFigures> => {
    return { name: `mean time of ${name}`, unit: "ms", of: (day) => day.meanMilliseconds[area] };
  });
  const downtime = (day: DayFigures) =>
    uptimeOf(day) === undefined ? undefined : downtimeMinutes(day, timeZone);
  return (
    <section aria-labelledby={of}>
      <h2 id={of}>{heading}</h2>
      {days.length === 0 && <p>The first day of this quarter is shown when it is over.</p>}
      <Charts
        {...{ days, heading, quarter: published.quarter }}
        charts={[
          { name: "downtime", unit: "min", of: downtime },
          ...means,
          {
            ...{ name: "errors", unit: "%", digits: 3 },
            of: ({ requests, errors }) => (requests === 0 ? undefined : errors * 100),
          },
        ]}
      />
      {days.length > 0 && (
        <Figures
          labelledBy={of}
          columns={["Day", ...shares, ...shown.map(([, name]) => `${name} ms`), "Errors %"]}
          lines={days.map((day) => cellsOf(day, shown))}
        />
      )}
    </section>
  );
}

/** A day in which nothing was observed or requested has no figure, and not a good one. */
function cellsOf(day: DayFigures, shown: readonly (readonly [Area, string])[]): readonly string[] {
  const uptime = uptimeOf(day);
  const { plannedDowntime, unplannedDowntime } = day;
  return [
    day.day,
    ...(uptime === undefined
      ? shares.map(() => "–")
      : [uptime, plannedDowntime, unplannedDowntime].map(percent)),
    ...shown.map(([area]) => milliseconds(day.meanMilliseconds[area]) ?? "–"),
    day.requests === 0 ? "–" : percent(day.errors),
  ];
}

type ChannelsProps = Pick<PublishedQuarter, "channels" | "quarter"> & { readonly timeZone: string };

function Channels({ channels, quarter, timeZone }: ChannelsProps) {
  const charts: readonly Chart<ChannelDay>[] = [
    { name: "downtime", unit: "min", of: (day) => downtimeMinutes(day, timeZone) },
    { name: "mean time of Accounts", unit: "ms", of: (day) => day.accountsMilliseconds },
    { name: "mean time of Payments", unit: "ms", of: (day) => day.paymentsMilliseconds },
    {
      ...{ name: "errors", unit: "%", digits: 3 },
      of: ({ errors }) => (errors === undefined ? undefined : errors * 100),
    },
  ];
  return (
    <section aria-labelledby="channels">
      <h2 id="channels">Other channels of the bank</h2>
      {[...new Set(channels.map(({ channel }) => channel))].map((channel) => (
        <Charts
          key={channel}
          {...{ heading: channel, quarter, charts }}
          days={channels.filter((one) => one.channel === channel)}
        />
      ))}
      <Figures
        labelledBy="channels"
        columns={["Day", "Channel", ...shares, "Accounts ms", "Payments ms", "Errors %"]}
        lines={channels.map((one) => [
          one.day,
          one.channel,
          percent(1 - one.plannedDowntime - one.unplannedDowntime),
          percent(one.plannedDowntime),
          percent(one.unplannedDowntime),
          milliseconds(one.accountsMilliseconds) ?? "–",
          milliseconds(one.paymentsMilliseconds) ?? "–",
          one.errors === undefined ? "–" : percent(one.errors),
        ])}
      />
    </section>
  );
}

type Chart<Day> = {
  readonly name: string;
  readonly unit: string;
  readonly digits?: number;
  /** Undefined where nothing is known of the day. */
  readonly of: (day: Day) => number | undefined;
};

type ChartsProps<Day> = {
  readonly heading: string;
  readonly quarter: Quarter;
  readonly days: readonly Day[];
  readonly charts: readonly Chart<Day>[];
};

/** Of the whole quarter each, so that the same day stands at the same place in all of them. */
function Charts<Day extends { readonly day: string }>(props: ChartsProps<Day>) {
  const { heading, quarter, days, charts } = props;
  return (
    <div className="grid gap-x-8 table:grid-cols-2">
      {charts.map(({ name, unit, digits = 1, of }) => {
        const known = days.flatMap((day) => {
          const value = of(day);
          return value === undefined ? [] : [{ day: day.day, value }];
        });
        if (known.length === 0) return null;
        const label = `${heading}: ${name}`;
        return <DayChart key={name} {...{ label, unit, digits }} days={known} span={quarter} />;
      })}
    </div>
  );
}

type FiguresProps = {
  readonly labelledBy: string;
  readonly columns: readonly string[];
  readonly lines: readonly (readonly string[])[];
};

function Figures({ labelledBy, columns, lines }: FiguresProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a small screen it scrolls, and the keyboard has to reach it for that
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div role="group" tabIndex={0} className="overflow-x-auto" aria-labelledby={labelledBy}>
      <ReflowingTable {...{ labelledBy, columns }}>
        {lines.map((cells) => (
          <ReflowingRow key={cells.slice(0, 2).join(" ")}>
            {cells.map((text, nth) => (
              <ReflowingCell key={columns[nth]} label={columns[nth] ?? "Figure"} short>
                {text}
              </ReflowingCell>
            ))}
          </ReflowingRow>
        ))}
      </ReflowingTable>
    </div>
  );
}
