import { probing, type Quarter } from "@/lib/domain/interface-figures";

/** What a supervisor reads, in this order. Figures of the stress test come from the bench, all others from the database. */
export const sections = {
  kpis: "Availability and performance (RTS art. 32(4), EBA/GL/2018/07, guidelines 2 and 3)",
  stress: "Stress test (EBA/GL/2018/07, guideline 4)",
  usage: "Wide usage (RTS art. 33(6)(c), EBA/GL/2018/07, guideline 7)",
  problems: "Problem log (RTS art. 33(6)(d), EBA/GL/2018/07, guideline 8)",
  refusals: "Refusals by cause",
  fraud: "Payments by the breakdown of fraud reporting (EBA/GL/2018/05, data breakdown A)",
  incidents: "Drafts of incident reports (Regulation (EU) 2022/2554, art. 19)",
} as const;
export type Section = keyof typeof sections;

export type Figure = {
  /** Of its files, `NAME.csv` and `NAME.sql`. */
  readonly name: string;
  readonly section: Section;
  readonly heading: string;
  readonly explanation: string;
  /** One statement without parameters: run by hand in the bank's database, it gives the figure. */
  readonly query: string;
  /** What it means that the query gives no row. */
  readonly none: string;
};

/** Instants are printed in UTC, days are local days of the bank, amounts in minor units of their currency. */
export function figuresOf(
  { from, to }: Quarter,
  { timeZone }: { readonly timeZone: string },
): readonly Figure[] {
  const zone = `'${timeZone.replaceAll("'", "''")}'`;
  const begin = `timestamp '${from}' at time zone ${zone}`;
  const end = `(timestamp '${to}' + interval '1 day') at time zone ${zone}`;
  const days = `day between date '${from}' and date '${to}'`;
  const inQuarter = (instant: string) => `${instant} >= ${begin} and ${instant} < ${end}`;
  const probes = probesOf(begin, end);
  const downtime = downtimeOf(probes, from, to, zone);
  return [
    {
      name: "availability-by-day",
      section: "kpis",
      heading: "Each day of both interfaces",
      explanation:
        "xs2a is the interface for TPPs, pages the bank's own channel for its customers. Without a figure for a day nothing was observed or requested. A mean is that of granted requests, errors are failed and unanswered requests among all.",
      query: availabilityByDay(downtime, days),
      none: "",
    },
    {
      name: "availability",
      section: "kpis",
      heading: "The quarter as a whole",
      explanation:
        "Means of the days that were observed. Where days_observed is below days_of_quarter, nothing is known of the others.",
      query: `${downtime}
select interface, count(*) as days_of_quarter, count(*) filter (where observed > 0) as days_observed,
  round(avg(100 * (1 - down / length)) filter (where observed > 0), 3) as uptime_percent,
  round(avg(100 * planned / length) filter (where observed > 0), 3) as planned_downtime_percent,
  round(avg(100 * (down - planned) / length) filter (where observed > 0), 3) as unplanned_downtime_percent,
  round(avg(100 * observed / length), 3) as observed_percent
from downtime group by interface order by interface desc`,
      none: "",
    },
    {
      name: "not-observed",
      section: "kpis",
      heading: "Days of which a part was not observed",
      explanation: "The prober did not look then, so nothing is known, and nothing is claimed.",
      query: `${downtime}
select day::text, interface, round(100 * observed / length, 3) as observed_percent
from downtime where observed < length order by day, interface desc`,
      none: "The prober has observed both interfaces all the time.",
    },
    {
      name: "requests",
      section: "kpis",
      heading: "Requests by area and outcome",
      explanation:
        "granted: below HTTP 400; refused: 4xx; failed: 5xx; unanswered: the caller waited for six seconds or more and got no answer.",
      query: `select area, outcome, sum(requests) as requests, round(sum(took_microseconds) / sum(requests) / 1000, 1) as mean_milliseconds
from request_day where ${days} group by area, outcome order by area, outcome`,
      none: "No request was counted in this quarter.",
    },
    {
      name: "channels",
      section: "kpis",
      heading: "The bank's other channels",
      explanation: "As the bank has given them (npm run bank -- statistics channel).",
      query: `select day::text, channel, round((100 * (1 - planned_downtime - unplanned_downtime))::numeric, 3) as uptime_percent,
  round((100 * planned_downtime)::numeric, 3) as planned_downtime_percent,
  round((100 * unplanned_downtime)::numeric, 3) as unplanned_downtime_percent,
  round(accounts_milliseconds::numeric, 1) as accounts_milliseconds, round(payments_milliseconds::numeric, 1) as payments_milliseconds,
  round((100 * errors)::numeric, 3) as errors_percent
from channel_day where ${days} order by channel, day`,
      none: "The bank has given no figures of other channels for this quarter. Each channel in which customers reach their accounts has to be compared with the interface.",
    },
    {
      name: "tpps",
      section: "usage",
      heading: "TPPs that have used the interface, by service",
      explanation:
        "requests are consents and payments that were asked for, reads are answers with data of accounts or yes or no to a question for funds.",
      query: `select case when what = 'payment-requested' then 'PIS' when part = 'PIIS' or value = 'funds-check' then 'CBPII' else 'AIS' end as service,
  count(distinct tpp_id) as tpps, coalesce(sum(count) filter (where what <> 'read'), 0) as requests,
  coalesce(sum(count) filter (where what = 'read'), 0) as reads
from day_count where ${days} and tpp_id <> '*' and what in ('read', 'consent-requested', 'payment-requested')
group by 1 order by 1`,
      none: "No TPP has used the interface in this quarter.",
    },
    {
      name: "consents-and-payments",
      section: "usage",
      heading: "Consents and payments, by what became of them",
      explanation: "A consent that was given and withdrawn in the quarter is in two lines.",
      query: `select what, part as kind, coalesce(value, 'received') as state, sum(count) as times from day_count
where ${days} and tpp_id = '*' and what in ('consent-requested', 'consent-status', 'payment-requested', 'payment-status')
group by 1, 2, 3 order by 1, 2, 3`,
      none: "No consent or payment was asked for in this quarter.",
    },
    {
      name: "customers",
      section: "usage",
      heading: "Customers who have authorised something",
      explanation: "Each customer once in a line.",
      query: `select kind, count(distinct psu_id) as customers from (
  select 'AIS' as kind, psu_id, authorised_at from account_consent union all
  select 'PIIS', psu_id, authorised_at from funds_consent union all
  select 'PIS', psu_id, authorised_at from payment_state
) authorised where ${inQuarter("authorised_at")} group by kind order by kind`,
      none: "No customer has authorised anything in this quarter.",
    },
    {
      name: "outages",
      section: "problems",
      heading: "Outages",
      explanation:
        "From the first of five consecutive requests of the prober without a reply within 30 seconds to the next one with a reply, or to its last one.",
      query: `${probes}
select interface, ${utc("began_at")} as began, ${utc("ended_at")} as ended, round(extract(epoch from ended_at - began_at)) as seconds,
  (select string_agg(distinct reason, '; ') from planned_downtime planned
   where planned.interface = outage.interface and begins_at < ended_at and ends_at > began_at) as announced_reason
from outage order by began_at, interface desc`,
      none: "The prober has seen no outage.",
    },
    {
      name: "announced-downtime",
      section: "problems",
      heading: "Announced downtime",
      explanation: "Whether or not the interface was down in it.",
      query: `select interface, ${utc("begins_at")} as begins, ${utc("ends_at")} as ends, ${utc("announced_at")} as announced, reason
from planned_downtime where begins_at < ${end} and ends_at > ${begin} order by begins_at, interface`,
      none: "No downtime was announced.",
    },
    {
      name: "failures",
      section: "problems",
      heading: "Requests that failed for a reason of the bank's",
      explanation:
        "By day and area. The servers' log names the cause of each; problems that TPPs have reported, and how they were resolved, are in the bank's help desk.",
      query: `select day::text, area, coalesce(sum(requests) filter (where outcome = 'failed'), 0) as failed,
  coalesce(sum(requests) filter (where outcome = 'unanswered'), 0) as unanswered
from request_day where ${days} and outcome in ('failed', 'unanswered') group by day, area order by day, area`,
      none: "No request failed for a reason of the bank's.",
    },
    {
      name: "refusals-by-code",
      section: "refusals",
      heading: "Requests of TPPs that were refused, by area and code",
      explanation:
        "By the first code that the TPP was told: of format, consent, limits of access, trust and all others. Their meanings are in the bank's documentation for TPPs. Refusals without such a code are not among them: those of OAuth, and answers to HEAD, which have no body.",
      query: `select area, code, sum(requests) as requests from refusal_day
where ${days} group by area, code order by area, sum(requests) desc, code`,
      none: "No request was refused with a code.",
    },
    {
      name: "refused-requests",
      section: "refusals",
      heading: "Requests of TPPs that were refused for want of trust",
      explanation:
        "By the code that the TPP was told: certificate, role, signature or token, and at the token endpoint by the error of OAuth.",
      query: `select value as code, sum(count) as times from day_count
where ${days} and tpp_id = '*' and what = 'request-refused' group by value order by sum(count) desc, value`,
      none: "No TPP was refused for want of trust.",
    },
    {
      name: "failed-authorisations",
      section: "refusals",
      heading: "Authorisations that have failed",
      explanation: "By what was to be authorised, and the cause.",
      query: `select kind, failed_because as cause, count(*) as times from authorisation
where sca_status = 'failed' and ${inQuarter("decided_at")} group by kind, failed_because order by kind, count(*) desc, failed_because`,
      none: "No authorisation has failed.",
    },
    {
      name: "rejected-payments",
      section: "refusals",
      heading: "Payments that were rejected",
      explanation: "By product and cause, before or after the customer has authorised them.",
      query: `select product, reason as cause, count(*) as times
from payment_status_change change join payment on payment.id = change.payment_id
where change.status = 'RJCT' and ${inQuarter("change.at")} group by product, reason order by product, count(*) desc, reason`,
      none: "No payment was rejected.",
    },
    {
      name: "credit-transfers",
      section: "fraud",
      heading: "Executed credit transfers that PISPs have initiated",
      explanation:
        "All of them were initiated electronically and remotely, and authorised with strong customer authentication, without an exemption. Two quarters add up to a report's half-year. area: domestic, EEA or outside, by the countries of the two IBANs; means: what the customer has confirmed with.",
      query: creditTransfers(inQuarter("change.at")),
      none: "No credit transfer that a PISP has initiated was executed in this quarter.",
    },
    {
      name: "signs-of-misuse",
      section: "fraud",
      heading: "What was noticed of attempts",
      explanation:
        "Attempts, and not fraud: user IDs that were blocked after wrong passwords or codes, searches for a balance by questions for funds, and requests of payments that came again with another content.",
      query: `select kind, count(*) as times from event
where kind in ('psu-blocked', 'funds-search', 'idempotency-mismatch') and ${inQuarter("recorded_at")} group by kind order by kind`,
      none: "Nothing of the kind was noticed.",
    },
    {
      name: "incidents",
      section: "incidents",
      heading: "Outages that were not announced",
      explanation:
        "Each is a draft below. over_two_hours is the downtime from which an incident of a critical function meets one of the thresholds of Delegated Regulation (EU) 2024/1772, art. 9.",
      query: incidents(probes),
      none: "There was no outage but announced ones, so there is nothing to draft.",
    },
  ];
}

/** What no query can tell, since only the core banking system or the bank's people know it. */
export const knownElsewhere: Readonly<Partial<Record<Section, readonly string[]>>> = {
  usage: [
    "How many customers could use the interface: the core banking system knows how many have a payment account online.",
  ],
  problems: [
    "Problems that TPPs have reported, with the times of report, answer and resolution: in the bank's help desk.",
  ],
  fraud: [
    "Fraudulent credit transfers and their losses (issued by the fraudster, changed by the fraudster, payer manipulated): known to the core banking system and the bank's fraud department alone.",
    "Credit transfers that were not initiated by a PISP, on paper or in the bank's own channels, and the exemptions from strong customer authentication used there: the core banking system.",
    "Direct debits, cards, cash withdrawals, e-money and money remittance (data breakdowns B to G): not in this interface.",
    "Frauds that PISPs report themselves (data breakdown H): with the PISPs.",
  ],
};

const utc = (instant: string) =>
  `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** EBA/GL/2018/07, 2.4, in the numbers of the prober. */
function probesOf(begin: string, end: string): string {
  const { consecutive, gapSecondsMax } = probing;
  return `with run as (
  select *, lead(began_at) over (partition by interface order by began_at) as next_at
  from probe_run where last_at >= ${begin} and began_at < ${end}
), outage as (
  select interface, began_at, case when next_at - last_at <= interval '${gapSecondsMax} seconds' then next_at else last_at end as ended_at
  from run where not answered and probes >= ${consecutive}
)`;
}

/** In seconds, by interface and local day. */
function downtimeOf(probes: string, from: string, to: string, zone: string): string {
  const seconds = (spans: string) =>
    `coalesce((select sum(extract(epoch from upper(part) - lower(part))) from unnest(${spans} * tstzmultirange(span)) part), 0)`;
  return `${probes}, local_day as (
  select day::date as day, tstzrange(day at time zone ${zone}, (day + interval '1 day') at time zone ${zone}) as span
  from generate_series(timestamp '${from}', timestamp '${to}', interval '1 day') day
), spans as (
  select interface,
    coalesce((select range_agg(tstzrange(began_at, ended_at)) from outage where outage.interface = known.interface), '{}') as down,
    coalesce((select range_agg(tstzrange(begins_at, ends_at)) from planned_downtime planned where planned.interface = known.interface), '{}') as planned,
    coalesce((select range_agg(tstzrange(began_at, last_at + interval '${probing.everySeconds} seconds')) from run where run.interface = known.interface), '{}') as observed
  from (values ('xs2a'), ('pages')) known (interface)
), downtime as (
  select day, interface, extract(epoch from upper(span) - lower(span)) as length,
    ${seconds("down")} as down,
    ${seconds("down * planned")} as planned,
    ${seconds("observed")} as observed
  from local_day cross join spans
)`;
}

function availabilityByDay(downtime: string, days: string): string {
  const mean = (area: string) =>
    `round(sum(took_microseconds) filter (where outcome = 'granted' and area = '${area}') / sum(requests) filter (where outcome = 'granted' and area = '${area}') / 1000, 1) as ${area}_milliseconds`;
  const known = (seconds: string) => `case when observed > 0 then round(100 * ${seconds}, 3) end`;
  return `${downtime}, asked as (
  select day, case area when 'pages' then 'pages' else 'xs2a' end as interface, sum(requests) as requests,
    round(100 * coalesce(sum(requests) filter (where outcome in ('failed', 'unanswered')), 0) / sum(requests), 3) as errors_percent,
    ${["aisp", "pisp", "cbpii", "oauth", "pages"].map(mean).join(",\n    ")}
  from request_day where ${days} group by 1, 2
)
select day::text, interface, ${known("(1 - down / length)")} as uptime_percent, ${known("planned / length")} as planned_downtime_percent,
  ${known("(down - planned) / length")} as unplanned_downtime_percent, round(100 * observed / length, 3) as observed_percent,
  aisp_milliseconds, pisp_milliseconds, cbpii_milliseconds, oauth_milliseconds, pages_milliseconds, errors_percent, coalesce(requests, 0) as requests
from downtime left join asked using (day, interface) order by day, interface desc`;
}

const EEA =
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK";

/** Settled on the debtor's side: a transfer that was not executed is none of the report. */
function creditTransfers(inQuarter: string): string {
  const eea = EEA.split(" ").map((country) => `'${country}'`);
  return `select product, case when left(creditor_iban, 2) = left(debtor_iban, 2) then 'domestic'
    when left(creditor_iban, 2) in (${eea.join(", ")}) then 'EEA' else 'outside' end as area,
  coalesce((select proof->>'means' from jsonb_array_elements(proofs) with ordinality proved (proof, nth)
    where proof->>'element' = 'confirmation' order by nth desc limit 1), 'unknown') as means,
  payment.currency, count(*) as transfers, sum(amount_minor) as amount_minor_units
from payment_status_change change join payment on payment.id = change.payment_id
  join authorisation on authorisation.id = payment.authorisation_id
where change.status = 'ACSC' and ${inQuarter}
group by 1, 2, 3, 4 order by 1, 2, 3, 4`;
}

function incidents(probes: string): string {
  const requests = (begin: string, end: string, outcomes: string) =>
    `(select coalesce(sum(requests), 0) from request_minute where ${outcomes}
    and (area = 'pages') = (outage.interface = 'pages') and minute >= date_trunc('minute', ${begin}) and minute < ${end})`;
  const week = "interval '7 days'";
  return `${probes}
select interface, ${utc("began_at")} as began, ${utc("ended_at")} as ended, round(extract(epoch from ended_at - began_at)) as seconds,
  ended_at - began_at > interval '2 hours' as over_two_hours,
  ${requests("began_at", "ended_at", "outcome in ('failed', 'unanswered')")} as requests_failed,
  ${requests(`began_at - ${week}`, `ended_at - ${week}`, "true")} as requests_a_week_before,
  (select count(*) from payment_state state where authorised_at < ended_at and not exists (select from payment_status_change change
    where change.payment_id = state.payment_id and change.status in ('ACSC', 'RJCT') and change.at < began_at)) as payments_under_way
from outage where not exists (select from planned_downtime planned
  where planned.interface = outage.interface and begins_at <= began_at and ends_at >= ended_at)
order by began_at, interface desc`;
}
