import { notFound } from "next/navigation";
import { DayChart } from "@/components/day-chart";
import { BankPage } from "@/components/page";
import { ReflowingCell, ReflowingRow, ReflowingTable } from "@/components/table";
import { Card, Lead } from "@/components/text";
import type { DayFigures, ProbedInterface, Quarter } from "@/lib/domain/interface-figures";
import {
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
  return (
    <BankPage title={`Availability and performance - ${bank}`} bankName={bank} place="For TPPs">
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
            <span key={other.name} className="mr-3">
              <a href={`/statistics?quarter=${other.name}`}>{inWords(other)}</a>
            </span>
          ))}
        </nav>
        <OfInterface of="xs2a" published={published} heading="Interface for TPPs" />
        <OfInterface of="pages" published={published} heading="Own pages for customers" />
        {channels.length > 0 && <Channels channels={channels} />}
        <h2>How it is measured</h2>
        <p>
          A request is sent to each of the two every six seconds. Down is the time from the first of
          five without a reply within 30 seconds until the next one with a reply. A dash stands
          where nothing was observed; the files say which part of each day was. Response times are
          the means of the requests that were granted; errors are the share of requests that failed
          for a reason of the bank’s or were left without an answer.
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
    ["aisp", "Accounts ms"],
    ["pisp", "Payments ms"],
    ["cbpii", "Funds ms"],
    ["oauth", "OAuth ms"],
  ],
  pages: [["pages", "Pages ms"]],
};

type OfInterfaceProps = {
  readonly of: ProbedInterface;
  readonly heading: string;
  readonly published: PublishedQuarter;
};

function OfInterface({ of, heading, published }: OfInterfaceProps) {
  const days = published.interfaces[of];
  const shown = areasShown[of];
  const columns = [
    "Day",
    "Uptime %",
    "Planned downtime %",
    ...shown.map(([, name]) => name),
    "Errors %",
  ];
  const known = days.flatMap((day) => {
    const value = uptimeOf(day);
    return value === undefined ? [] : [{ day: day.day, value: value * 100 }];
  });
  return (
    <section aria-labelledby={of}>
      <h2 id={of}>{heading}</h2>
      {days.length === 0 && <p>The first day of this quarter is shown when it is over.</p>}
      {known.length > 0 && (
        <DayChart label={`Uptime of each day, ${heading}`} unit="%" days={known} />
      )}
      {days.length > 0 && (
        <ReflowingTable labelledBy={of} columns={columns}>
          {days.map((day) => (
            <ReflowingRow key={day.day}>
              {cellsOf(day, shown).map((text, nth) => (
                <ReflowingCell key={columns[nth]} label={columns[nth] ?? "Figure"} short>
                  {text}
                </ReflowingCell>
              ))}
            </ReflowingRow>
          ))}
        </ReflowingTable>
      )}
    </section>
  );
}

/** A day in which nothing was observed or requested has no figure, and not a good one. */
function cellsOf(day: DayFigures, shown: readonly (readonly [Area, string])[]): readonly string[] {
  const uptime = uptimeOf(day);
  return [
    day.day,
    uptime === undefined ? "–" : percent(uptime),
    uptime === undefined ? "–" : percent(day.plannedDowntime),
    ...shown.map(([area]) => milliseconds(day.meanMilliseconds[area]) ?? "–"),
    day.requests === 0 ? "–" : percent(day.errors),
  ];
}

const channelColumns = ["Day", "Channel", "Uptime %", "Accounts ms", "Payments ms", "Errors %"];

function Channels({ channels }: Pick<PublishedQuarter, "channels">) {
  return (
    <section aria-labelledby="channels">
      <h2 id="channels">Other channels of the bank</h2>
      <ReflowingTable labelledBy="channels" columns={channelColumns}>
        {channels.map((one) => (
          <ReflowingRow key={`${one.channel} ${one.day}`}>
            {[
              one.day,
              one.channel,
              percent(1 - one.plannedDowntime - one.unplannedDowntime),
              milliseconds(one.accountsMilliseconds) ?? "–",
              milliseconds(one.paymentsMilliseconds) ?? "–",
              one.errors === undefined ? "–" : percent(one.errors),
            ].map((text, nth) => (
              <ReflowingCell
                key={channelColumns[nth]}
                label={channelColumns[nth] ?? "Figure"}
                short
              >
                {text}
              </ReflowingCell>
            ))}
          </ReflowingRow>
        ))}
      </ReflowingTable>
    </section>
  );
}
