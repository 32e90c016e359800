import { Lead, Links, Term, Terms } from "@/components/text";
import type { StaffFrame } from "@/lib/staff/page-loaders";
import { blockPath } from "@/lib/staff/paths";
import type { PageProps } from "@/lib/staff/table";
import { StaffPage, staffPage } from "../../../../staff-page";

export default async function ReportPage({ params }: Pick<PageProps, "params">) {
  const { id = "none" } = await params;
  const path = `${blockPath(id)}/report`;
  const load = ({ services }: StaffFrame["visit"]) => services.tppBlocks.report(id);
  return staffPage({ action: "see-tpps", path, load }, (frame, { language, heading, lines }) => {
    const { report: words } = frame.texts.tpps;
    return (
      <StaffPage frame={frame} heading={heading}>
        <div className="print:hidden">
          <Lead>{words.print}</Lead>
        </div>
        <div lang={language}>
          <Terms>
            {lines.map(({ label, text }) => (
              <Term key={label} label={label}>
                <bdi className="whitespace-pre-line">{text}</bdi>
              </Term>
            ))}
          </Terms>
        </div>
        <Links>
          <a href={`${blockPath(id)}/report.txt`}>{words.text}</a>
        </Links>
      </StaffPage>
    );
  });
}
