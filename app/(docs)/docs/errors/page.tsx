import { messageCodes } from "@/lib/domain/errors";
import { meaningOf } from "@/lib/xs2a/refusals";
import { DocsPage } from "../../docs-page";

export default function ErrorsPage() {
  return (
    <DocsPage title="Error codes">
      <p className="lead">
        Every refusal has one of these codes, and a text that names the cause. The link help in its
        _links leads to the page of the code.
      </p>
      <dl className="terms words">
        {Object.keys(messageCodes).map((code) => (
          <div key={code} className="term">
            <dt>
              <a href={`/docs/errors/${code}`}>{code}</a>
            </dt>
            <dd>{meaningOf[code as keyof typeof messageCodes]}</dd>
          </div>
        ))}
      </dl>
    </DocsPage>
  );
}
