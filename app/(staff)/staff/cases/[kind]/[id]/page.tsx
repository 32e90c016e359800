import { Actions, Button } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { PostForm, TextField } from "@/components/form";
import { Lead, Part, Term, Terms } from "@/components/text";
import { mayDo } from "@/lib/domain/staff";
import { nameOnPage } from "@/lib/psu/texts/formats";
import { type CaseView, caseView } from "@/lib/staff/cases";
import { loadStaffPage, type StaffFrame } from "@/lib/staff/page-loaders";
import { casePath, customerPath, tppPath } from "@/lib/staff/paths";
import { tableQuery } from "@/lib/staff/table";
import { timelineColumns } from "../../../../case-tables";
import { StaffPage, staffPage } from "../../../../staff-page";

export const dynamic = "force-dynamic";

type Props = {
  readonly params: Promise<{ readonly kind: string; readonly id: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

export default async function CasePage({ params, searchParams }: Props) {
  const asked = await params;
  const query = tableQuery(await searchParams);
  const path = `/staff/cases/${asked.kind}/${asked.id}`;
  const load = (visit: StaffFrame["visit"]) => caseView(visit, asked);
  const loading = loadStaffPage({ action: "see-customer", path, load });
  return staffPage(loading, (frame, view) => {
    const { texts, visit } = frame;
    const { cases: words } = texts;
    const { timeZone } = visit.services.profile;
    return (
      <StaffPage frame={frame} heading={words.timeline.heading(words.kinds[view.found.kind])}>
        <CaseTerms frame={frame} view={view} />
        <Part id="timeline" heading={words.timeline.events}>
          <DataTable
            texts={texts.table}
            labelledBy="timeline"
            columns={timelineColumns({ texts, timeZone })}
            rows={view.entries}
            keyOf={(entry) => `${view.entries.indexOf(entry)}`}
            query={query}
            path={path}
            csvPath={`${path}/timeline.csv`}
          />
        </Part>
        {view.endToken !== undefined && mayDo(visit.operator.roles, "end-permission") && (
          <Part id="end" heading={words.timeline.end}>
            <Lead>{words.timeline.endHint}</Lead>
            <PostForm action={`${casePath(view.found)}/end`} token={view.endToken}>
              <TextField
                id="reason"
                label={words.timeline.reason}
                hint={words.timeline.reasonHint}
                fault={undefined}
                input={{ name: "reason", maxLength: 200, required: true }}
              />
              <Actions>
                <Button>{words.timeline.endSubmit}</Button>
              </Actions>
            </PostForm>
          </Part>
        )}
      </StaffPage>
    );
  });
}

/** What it is, whose, and where it stands. */
function CaseTerms({ frame, view }: { readonly frame: StaffFrame; readonly view: CaseView }) {
  const { texts, visit } = frame;
  const { columns: labels, status } = texts.cases;
  const { found, record } = view;
  const words: Readonly<Record<string, string | undefined>> = status;
  const order = record?.kind === "payments" ? record.payment.order : undefined;
  return (
    <Terms>
      <Term label={labels.id}>{found.id}</Term>
      <Term label={labels.status}>
        <strong>{words[found.status] ?? found.status}</strong>
      </Term>
      <Term label={labels.requested}>
        {texts.instant(found.requestedAt, visit.services.profile.timeZone)}
      </Term>
      <Term label={labels.tpp}>
        <a href={tppPath(found.tppId)}>
          <bdi>{nameOnPage(found.tppName, texts.lang)}</bdi> ({found.tppId})
        </a>
      </Term>
      {found.psuId !== undefined && (
        <Term label={labels.customer}>
          <a href={customerPath(found.psuId)}>{found.psuId}</a>
        </Term>
      )}
      {order !== undefined && (
        <>
          <Term label={labels.amount}>{texts.money(order.amount)}</Term>
          <Term label={labels.from}>{order.debtor.iban}</Term>
          <Term label={labels.payee}>
            <bdi>{nameOnPage(order.creditor.name, texts.lang)}</bdi>, {order.creditor.iban}
          </Term>
          {order.endToEndId !== undefined && (
            <Term label={labels.endToEndId}>
              <bdi>{order.endToEndId}</bdi>
            </Term>
          )}
        </>
      )}
    </Terms>
  );
}
