/** What the controllers of execution are given. */
export const EXECUTION_POOL = Symbol('EXECUTION_POOL');
export const EXECUTION_CLOCK = Symbol('EXECUTION_CLOCK');
export const EXECUTION_JOURNAL = Symbol('EXECUTION_JOURNAL');
export const EXECUTE_TOOL = Symbol('EXECUTE_TOOL');
export const EXECUTION_LOOK_UP = Symbol('EXECUTION_LOOK_UP');
export const KEPT_RESULTS = Symbol('KEPT_RESULTS');
export const RESULT_LINK_KEY = Symbol('RESULT_LINK_KEY');
export const OUTCOME_REVISER = Symbol('OUTCOME_REVISER');
export const EXECUTION_CONFIG = Symbol('EXECUTION_CONFIG');
export const EXECUTION_LOGGER = Symbol('EXECUTION_LOGGER');
