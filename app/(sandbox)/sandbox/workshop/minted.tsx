import type { MintedFile } from "@/lib/sandbox/minted-files";
import { Result } from "./result";

/** The files to copy, or to save by a link that needs no script. */
export function Minted({
  note,
  files,
}: {
  readonly note: string;
  readonly files: readonly MintedFile[];
}) {
  return (
    <Result id="made" title="The certificates are made">
      <p className="good-news">{note}</p>
      <p className="hint">They are kept nowhere: save them before you leave the page.</p>
      {files.map(({ name, text }) => (
        <div key={name} className="field wide">
          <label htmlFor={name}>{name}</label>
          <textarea id={name} rows={4} readOnly defaultValue={text} spellCheck={false} />
          <a
            className="save"
            download={name}
            href={`data:application/x-pem-file,${encodeURIComponent(text)}`}
          >
            {`Save ${name}`}
          </a>
        </div>
      ))}
    </Result>
  );
}
