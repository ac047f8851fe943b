/**
 * The grammar's node kinds and fields that the converter knows, as small numbers that are the same for every version of the grammar.
 * Whatever is not listed is `other`: its children are looked at, itself means nothing.
 */
const KINDS = [
  'other',
  'token',
  'ERROR',
  // Names and literals.
  'identifier',
  'field_identifier',
  'type_identifier',
  'namespace_identifier',
  'statement_identifier',
  'qualified_identifier',
  'dependent_name',
  'template_function',
  'template_method',
  'template_type',
  'template_argument_list',
  'destructor_name',
  'operator_name',
  'operator_cast',
  'number_literal',
  'char_literal',
  'string_literal',
  'raw_string_literal',
  'concatenated_string',
  'user_defined_literal',
  'true',
  'false',
  'null',
  'this',
  // Expressions.
  'parenthesized_expression',
  'comma_expression',
  'binary_expression',
  'assignment_expression',
  'conditional_expression',
  'unary_expression',
  'pointer_expression',
  'update_expression',
  'call_expression',
  'kernel_call_syntax',
  'argument_list',
  'subscript_expression',
  'subscript_argument_list',
  'field_expression',
  'cast_expression',
  'compound_literal_expression',
  'initializer_list',
  'initializer_pair',
  'sizeof_expression',
  'alignof_expression',
  'new_expression',
  'new_declarator',
  'delete_expression',
  'lambda_expression',
  'parameter_pack_expansion',
  'gnu_asm_expression',
  // Types and declarators.
  'type_descriptor',
  'primitive_type',
  'sized_type_specifier',
  'placeholder_type_specifier',
  'decltype',
  'dependent_type',
  'struct_specifier',
  'class_specifier',
  'union_specifier',
  'enum_specifier',
  'type_qualifier',
  'storage_class_specifier',
  'virtual',
  'explicit_function_specifier',
  'alignas_qualifier',
  'launch_bounds',
  'init_declarator',
  'pointer_declarator',
  'reference_declarator',
  'array_declarator',
  'function_declarator',
  'parenthesized_declarator',
  'attributed_declarator',
  'variadic_declarator',
  'structured_binding_declarator',
  'abstract_pointer_declarator',
  'abstract_reference_declarator',
  'abstract_array_declarator',
  'abstract_function_declarator',
  'abstract_parenthesized_declarator',
  'parameter_list',
  'parameter_declaration',
  'optional_parameter_declaration',
  'variadic_parameter_declaration',
  'bitfield_clause',
  // Statements.
  'compound_statement',
  'expression_statement',
  'declaration',
  'if_statement',
  'condition_clause',
  'init_statement',
  'else_clause',
  'for_statement',
  'for_range_loop',
  'while_statement',
  'do_statement',
  'switch_statement',
  'case_statement',
  'return_statement',
  'throw_statement',
  'break_statement',
  'continue_statement',
  'goto_statement',
  'labeled_statement',
  'attributed_statement',
  'try_statement',
  'catch_clause',
  // Definitions.
  'translation_unit',
  'function_definition',
  'template_declaration',
  'template_instantiation',
  'template_parameter_list',
  'type_parameter_declaration',
  'optional_type_parameter_declaration',
  'variadic_type_parameter_declaration',
  'template_template_parameter_declaration',
  'linkage_specification',
  'declaration_list',
  'namespace_definition',
  'namespace_alias_definition',
  'nested_namespace_specifier',
  'using_declaration',
  'alias_declaration',
  'type_definition',
  'static_assert_declaration',
  'field_declaration_list',
  'field_declaration',
  'friend_declaration',
  'base_class_clause',
  'field_initializer_list',
  'field_initializer',
  'enumerator_list',
  'enumerator',
  'default_method_clause',
  'delete_method_clause',
] as const;

export type KindName = (typeof KINDS)[number];
export const K = Object.fromEntries(KINDS.map((name, index) => [name, index])) as Readonly<Record<KindName, number>>;
export const KIND_NAMES: readonly KindName[] = KINDS;

const FIELDS = [
  'none',
  'alternative',
  'argument',
  'arguments',
  'body',
  'condition',
  'consequence',
  'declarator',
  'default_type',
  'default_value',
  'delimiter',
  'designator',
  'field',
  'function',
  'indices',
  'initializer',
  'label',
  'left',
  'length',
  'name',
  'operator',
  'parameters',
  'placement',
  'right',
  'scope',
  'size',
  'type',
  'update',
  'value',
] as const;

export type FieldName = (typeof FIELDS)[number];
export const F = Object.fromEntries(FIELDS.map((name, index) => [name, index])) as Readonly<Record<FieldName, number>>;
export const FIELD_NAMES: readonly FieldName[] = FIELDS;

/** One entry per kind, for dispatch. */
export function tableByKind<T>(entries: Partial<Record<KindName, T>>): readonly (T | undefined)[] {
  return KINDS.map((name) => entries[name]);
}

/** Whether a node of this kind has nothing inside that is looked at: it is one token of ours, or several, or it has children. */
export type Leaf = 'no' | 'one token' | 'several tokens';

const ONE_TOKEN: readonly KindName[] = [
  'token',
  'identifier',
  'field_identifier',
  'type_identifier',
  'namespace_identifier',
  'statement_identifier',
  'number_literal',
  'char_literal',
  'string_literal',
  'raw_string_literal',
  'true',
  'false',
  'null',
  'this',
  'primitive_type',
  'type_qualifier',
  'storage_class_specifier',
  'virtual',
];
const SEVERAL_TOKENS: readonly KindName[] = ['sized_type_specifier', 'operator_name', 'placeholder_type_specifier', 'user_defined_literal'];

export const LEAVES: readonly Leaf[] = KINDS.map((name) => {
  if (ONE_TOKEN.includes(name)) return 'one token';
  return SEVERAL_TOKENS.includes(name) ? 'several tokens' : 'no';
});

/** Kinds none of whose children has a field. */
export const WITHOUT_FIELDS: readonly KindName[] = [
  'translation_unit',
  'compound_statement',
  'expression_statement',
  'return_statement',
  'else_clause',
  'parenthesized_expression',
  'argument_list',
  'subscript_argument_list',
  'initializer_list',
  'kernel_call_syntax',
  'concatenated_string',
  'parameter_list',
  'template_parameter_list',
  'template_argument_list',
  'field_declaration_list',
  'declaration_list',
  'enumerator_list',
  'base_class_clause',
];

/** By kind: 1 where children may have fields. */
export const HAS_FIELDS = Uint8Array.from(KINDS, (name) => (WITHOUT_FIELDS.includes(name) ? 0 : 1));

/** Kinds in which a bracket or semicolon among the children is the last of them. */
const CLOSED: readonly KindName[] = [
  'compound_statement',
  'expression_statement',
  'declaration',
  'return_statement',
  'condition_clause',
  'parenthesized_expression',
  'argument_list',
  'subscript_argument_list',
  'initializer_list',
  'parameter_list',
  'array_declarator',
];
/** By kind: 1 for those. */
export const ENDS_WITH_CLOSER = Uint8Array.from(KINDS, (name) => (CLOSED.includes(name) ? 1 : 0));

/** The field that only the last child has. */
const LAST: Partial<Record<KindName, FieldName>> = {
  binary_expression: 'right',
  assignment_expression: 'right',
  conditional_expression: 'alternative',
  call_expression: 'arguments',
  subscript_expression: 'indices',
  field_expression: 'field',
  unary_expression: 'argument',
  pointer_expression: 'argument',
  cast_expression: 'value',
  init_declarator: 'value',
  pointer_declarator: 'declarator',
  qualified_identifier: 'name',
  template_function: 'arguments',
  for_statement: 'body',
  while_statement: 'body',
};
/** By kind: that field; 0 for none. */
export const LAST_FIELD = Uint8Array.from(KINDS, (name) => F[LAST[name] ?? 'none']);
