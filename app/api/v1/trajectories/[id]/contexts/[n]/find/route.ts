import { readFindInContext } from "@/app/api/v1/find";
import { forProject } from "@/app/api/v1/reads";

export const GET = readFindInContext(forProject);
