import { TablePart } from "@/components/data-table";
import { Lead, Part, Term, Terms } from "@/components/text";
import { mayDo } from "@/lib/domain/staff";
import { nameOnPage } from "@/lib/psu/texts/formats";
import { type CaseView, caseView } from "@/lib/staff/cases";
import type { StaffFrame } from "@/lib/staff/page-loaders";
import { casePath, customerPath, tppPath } from "@/lib/staff/paths";
import type { PageProps } from "@/lib/staff/table";
import { ReasonForm, StaffPage, staffPage } from "../../../../staff-page";

export default async function CasePage({ params, searchParams }: PageProps) {
  const { kind = "none", id = "none" } = await params;
  const asked = await searchParams;
  const path = `/staff/cases/${kind}/${id}`;
  const load = (visit: StaffFrame["visit"]) => caseView(visit, kind, id);
  return staffPage({ action: "see-customer", path, load }, (frame, view) => {
    const { texts, visit } = frame;
    const { cases: words } = texts;
    return (
      <StaffPage frame={frame} heading={words.timeline.heading(words.kinds[view.found.kind])}>
        <CaseTerms frame={frame} view={view} />
        <TablePart
          {...{ frame, asked, id: "timeline", heading: words.timeline.events }}
          table={view.timeline}
          file={`timeline/${view.found.kind}/${view.found.id}`}
        />
        {view.endToken !== undefined && mayDo(visit.operator.roles, "end-permission") && (
          <Part id="end" heading={words.timeline.end}>
            <Lead>{words.timeline.endHint}</Lead>
            <ReasonForm
              frame={frame}
              action={`${casePath(view.found)}/end`}
              token={view.endToken}
              submit={words.timeline.endSubmit}
            />
          </Part>
        )}
      </StaffPage>
    );
  });
}

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
