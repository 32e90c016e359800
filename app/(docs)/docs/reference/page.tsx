import { api } from "@/app/(xs2a)/routes";
import { DocsPage } from "../../docs-page";
import { Reference } from "../../reference";

export default function ReferencePage() {
  const { document } = api();
  return (
    <DocsPage title={document.info.title}>
      <Reference api={document} />
    </DocsPage>
  );
}
