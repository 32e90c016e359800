import { bankFile } from "@/lib/profile/in-force";

type Context = { readonly params: Promise<{ readonly file: string }> };

/** A file of the bank's theme; browsers keep it under its version, and none under that of another. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { theme } = bankFile();
  const file = theme?.files.get((await params).file);
  if (theme === undefined || file === undefined) return new Response(null, { status: 404 });
  const isCurrent = new URL(request.url).searchParams.get("v") === theme.version;
  const headers = {
    "content-type": file.type,
    "cache-control": isCurrent ? "public, max-age=31536000, immutable" : "no-store",
  };
  return new Response(file.content, { headers });
}
