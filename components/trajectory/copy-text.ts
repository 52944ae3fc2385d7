import { toast } from "@/components/ui/toast";

/** Copies text and says so; says how to copy by hand where the browser refuses. */
export async function copyText(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
  } catch {
    toast("The browser did not allow copying. The address bar has the link.");
  }
}
