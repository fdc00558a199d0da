"""Mistakes that are easy to make in pe_core, each beside the test that must see it."""

from __future__ import annotations

from planted import Mutation, Part

PART = Part(copied=("pe_core",))

MUTATIONS = [
    Mutation(
        "the exponent counts twice",
        "pe_core/steps.py",
        (
            (
                "even_indices(d_model, dtype=dtype) / d_model",
                "2 * even_indices(d_model, dtype=dtype) / d_model",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "the exponent runs to 1, as in code that divides by d/2 - 1",
        "pe_core/steps.py",
        (
            (
                "even_indices(d_model, dtype=dtype) / d_model",
                "even_indices(d_model, dtype=dtype) / max(d_model - 2, 1)",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "sine and cosine are swapped",
        "pe_core/steps.py",
        (
            (
                "return torch.sin(positions / denominator)",
                "return torch.cos(positions / denominator)",
            ),
            (
                "return torch.cos(positions / denominator)",
                "return torch.sin(positions / denominator)",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "the position is multiplied where it should be divided",
        "pe_core/steps.py",
        (
            (
                "return torch.sin(positions / denominator)",
                "return torch.sin(positions * denominator)",
            ),
            (
                "return torch.cos(positions / denominator)",
                "return torch.cos(positions * denominator)",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "the pairing is dropped: every column has a frequency of its own",
        "pe_core/steps.py",
        (
            (
                "odd = odd_pe(position, divisor)  # (L, d/2)\n    return interleave(",
                "columns = odd_indices(d_model, dtype=wide)\n"
                "    odd = odd_pe(position, torch.pow(base, columns / d_model))\n"
                "    return interleave(",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "halves are concatenated, not interleaved",
        "pe_core/steps.py",
        (
            (
                "stacked = torch.stack([even, odd], dim=-1)  # (L, d/2, 2)\n"
                "    return stacked.flatten(start_dim=-2)",
                "return torch.cat([even, odd], dim=-1)",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "positions start at 1",
        "pe_core/steps.py",
        (
            (
                "torch.arange(max_sequence_length, dtype=dtype)",
                "torch.arange(1, max_sequence_length + 1, dtype=dtype)",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "16-bit tables are built from 16-bit positions",
        "pe_core/steps.py",
        (
            (
                "position = positions(max_sequence_length, dtype=wide)",
                "position = positions(max_sequence_length, dtype=wide).to(dtype).to(wide)",
            ),
        ),
        "test_steps.py",
        "test_16_bits_are_computed_wide_and_rounded_once",
    ),
    Mutation(
        "a float64 table is a float32 table made longer",
        "pe_core/steps.py",
        (
            (
                "wide = torch.promote_types(check_dtype(dtype), torch.float32)",
                "wide = torch.float32",
            ),
        ),
        "test_steps.py",
        "test_stepwise",
    ),
    Mutation(
        "the trace shows the sines twice",
        "pe_core/steps.py",
        (
            (
                r'Step("odd PE", rf"\cos\left(\frac{{p}}{{{power}}}\right)", odd)',
                r'Step("odd PE", rf"\cos\left(\frac{{p}}{{{power}}}\right)", even)',
            ),
        ),
        "test_steps.py",
        "test_trace_holds_what_the_steps_make",
    ),
    Mutation(
        "the exponent of the frequencies counts twice",
        "pe_core/offset.py",
        (("torch.pow(check_base(base), -columns", "torch.pow(check_base(base), -2 * columns"),),
        "test_offset.py",
        "test_frequencies_and_wavelengths",
    ),
    Mutation(
        "M_k is transposed",
        "pe_core/offset.py",
        (
            (
                "upper = torch.stack([cosine, sine], dim=-1)",
                "upper = torch.stack([cosine, 0.0 - sine], dim=-1)",
            ),
            (
                "lower = torch.stack([0.0 - sine, cosine], dim=-1)",
                "lower = torch.stack([sine, cosine], dim=-1)",
            ),
        ),
        "test_offset.py",
        "test_matrix_moves_every_position",
    ),
    Mutation(
        "M_k turns sine and cosine of a pair by different angles",
        "pe_core/offset.py",
        (
            (
                "sine, cosine = torch.sin(angle), torch.cos(angle)",
                "sine, cosine = torch.sin(angle), torch.cos(angle.roll(1))",
            ),
        ),
        "test_offset.py",
        "test_matrix_moves_every_position",
    ),
    Mutation(
        "M_k moves by one position too many",
        "pe_core/offset.py",
        (
            (
                "angle = check_offset(k) * _frequencies(check_d_model(d_model), base)  # (d/2,)\n"
                "    sine, cosine =",
                "angle = (check_offset(k) + 1) * _frequencies(check_d_model(d_model), base)\n"
                "    sine, cosine =",
            ),
        ),
        "test_offset.py",
        "test_matrix_moves_every_position",
    ),
    Mutation(
        "shift turns the wrong way",
        "pe_core/offset.py",
        (
            ("cosine_k * sine + sine_k * cosine", "cosine_k * sine - sine_k * cosine"),
            ("cosine_k * cosine - sine_k * sine", "cosine_k * cosine + sine_k * sine"),
        ),
        "test_offset.py",
        "test_shift_equals_the_matrix_product",
    ),
    Mutation(
        "shift concatenates the halves",
        "pe_core/offset.py",
        (
            (
                "torch.stack([moved_sine, moved_cosine], dim=-1).flatten(start_dim=-2)",
                "torch.cat([moved_sine, moved_cosine], dim=-1)",
            ),
        ),
        "test_offset.py",
        "test_shift_equals_the_matrix_product",
    ),
    Mutation(
        "the frequencies of the exact table fall twice as fast",
        "pe_core/encoding.py",
        (("* -2 / d_model", "* -4 / d_model"),),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "the exact table starts at 0 whatever the start",
        "pe_core/encoding.py",
        (("_write(out, start, base)", "_write(out, 0, base)"),),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "the blocks of the exact table are one position too far apart",
        "pe_core/encoding.py",
        (("_integers(NEAR) * step", "_integers(NEAR) * (step + step // 2)"),),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "the stretches of the exact table are one position too far apart",
        "pe_core/encoding.py",
        (("_pairs(some * stretch,", "_pairs(some * (stretch + 1),"),),
        "test_table.py",
        "test_a_long_table_goes_on_where_a_stretch_ends",
    ),
    Mutation(
        "the blocks of the exact table are the first ones wherever it starts",
        "pe_core/encoding.py",
        (("pe[first // block : math", "pe[: math"),),
        "test_table.py",
        "test_a_row_has_the_same_bits_in_every_window",
    ),
    Mutation(
        "the blocks of the exact table turn the wrong way",
        "pe_core/encoding.py",
        (("flatten(0, 1)[:count]", "flatten(0, 1)[:count].conj().resolve_conj()"),),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "the exact table swaps sine and cosine",
        "pe_core/encoding.py",
        (
            (
                "rows.copy_(wide if",
                "rows.copy_(wide.view(len(wide), -1, 2).flip(-1).flatten(1) if",
            ),
        ),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "the angles of the exact table are rounded to float32",
        "pe_core/encoding.py",
        (("ticks.to(device, torch.float64)", "ticks.to(device, torch.float32).double()"),),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "blocks begin where the window begins",
        "pe_core/encoding.py",
        (("first % block, blocks, turn", "0, blocks, turn"),),
        "test_table.py",
        "test_a_few_rows_have_the_bits_that_they_have_among_others",
    ),
    Mutation(
        "threads share a multiplication, and round the ends of their shares in another way",
        "pe_core/encoding.py",
        (('"cpu": 2**15', '"cpu": 100_003'),),
        "test_table.py",
        "test_a_table_has_the_same_bits_on_any_number_of_threads",
    ),
    Mutation(
        "a part of a group is shared by threads that it does not come out even for",
        "pe_core/encoding.py",
        (("tail = max(end - end % group, head)", "tail = end"),),
        "test_table.py",
        "test_a_table_has_the_same_bits_on_any_number_of_threads",
    ),
    Mutation(
        "what writes a table is compiled with the function that asks for one",
        "pe_core/encoding.py",
        (('_uncompiled() if "torch._dynamo" in sys.modules else _write_rows', "_write_rows"),),
        "test_table.py",
        "test_what_a_compiler_does_reaches_no_table",
    ),
    Mutation(
        "a conversion that is broken off leaves what was only converted",
        "pe_core/encoding.py",
        (("            self.pe = before\n", ""),),
        "test_encoding.py",
        "test_a_conversion_that_is_broken_off_leaves_the_module_as_it_was",
    ),
    Mutation(
        "a narrow row alone is turned in another way than among others",
        "pe_core/encoding.py",
        (("if turns.shape[1] == 1 else", "if turns.shape[1] == 0 else"),),
        "test_table.py",
        "test_a_few_rows_have_the_bits_that_they_have_among_others",
    ),
    Mutation(
        "what FakeTensorMode makes is kept",
        "pe_core/encoding.py",
        (("out.new_empty(1).untyped_storage()", "out.untyped_storage()"),),
        "test_table.py",
        "test_what_is_kept_serves_whatever_mode_it_was_made_in",
    ),
    Mutation(
        "what functionalize wraps is kept",
        "pe_core/encoding.py",
        (("        storage.data_ptr()\n", ""),),
        "test_encoding.py",
        "test_what_functionalize_wraps_is_not_kept",
    ),
    Mutation(
        "a distributed table is made and not written",
        "pe_core/encoding.py",
        (("pe.copy_(distribute_tensor(", "(distribute_tensor("),),
        "test_encoding.py",
        "test_a_distributed_model_is_converted_as_a_whole",
    ),
    Mutation(
        "strides whose steps share a divisor pass for apart",
        "pe_core/encoding.py",
        (("math.gcd(down, along) or 1", "1"),),
        "test_table.py",
        "test_out_has_a_place_for_each_entry",
    ),
    Mutation(
        "the only stretch of a window is always the first one",
        "pe_core/encoding.py",
        (("_integers(1) + n * stretch", "_integers(1) + 0 * stretch"),),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "16-bit entries are rounded twice",
        "pe_core/encoding.py",
        (("wide if rows.dtype.itemsize > 2 else _round_to_odd(wide, spare)", "wide"),),
        "test_table.py",
        "test_16_bits_are_the_nearest_ones_to_the_wide_value",
    ),
    Mutation(
        "what is cut off leaves no trace",
        "pe_core/encoding.py",
        (("    bits |= low.add_(cut)\n", ""),),
        "test_table.py",
        "test_16_bits_are_the_nearest_ones_to_the_wide_value",
    ),
    Mutation(
        "other devices compute in float64 themselves, as if they had it",
        "pe_core/encoding.py",
        (
            (
                'work = out.device if out.device.type in PAIRS_AT_A_TIME else torch.device("cpu")',
                'work = out.device if out.device.type != "mps" else torch.device("cpu")',
            ),
            ("PAIRS_AT_A_TIME[work.type]", "PAIRS_AT_A_TIME.get(work.type, 2**15)"),
        ),
        "test_table.py",
        "test_a_device_that_may_lack_float64_is_sent_rows_made_on_the_cpu",
    ),
    Mutation(
        "the rows of a decoding step are the first ones",
        "pe_core/encoding.py",
        (("self.pe[start : start + length]", "self.pe[:length]"),),
        "test_encoding.py",
        "test_decoding_with_a_cache_adds_what_the_whole_sequence_gets",
    ),
    Mutation(
        "reset_parameters forgets the base",
        "pe_core/encoding.py",
        (("base=self.base, dtype=pe.dtype, out=pe", "dtype=pe.dtype, out=pe"),),
        "test_encoding.py",
        "test_skip_init_gives_the_whole_table",
    ),
    Mutation(
        "dtype is not passed on",
        "pe_core/encoding.py",
        (("torch.get_default_dtype() if dtype is None else dtype", "torch.get_default_dtype()"),),
        "test_encoding.py",
        "test_device_and_dtype_are_those_asked_for",
    ),
    Mutation(
        "the module adds the row of the position before",
        "pe_core/encoding.py",
        (
            (
                "rows = self.pe[start : start + length]",
                "rows = self.pe.roll(1, 0)[start : start + length]",
            ),
        ),
        "test_encoding.py",
        "test_it_adds_the_first_rows_to_every_sequence_of_the_batch",
    ),
    Mutation(
        "a module that is moved converts its table",
        "pe_core/encoding.py",
        (("if self.pe is not before and", "if before is None and"),),
        "test_encoding.py",
        "test_the_table_is_exact_in_whatever_dtype_the_module_is_moved_to",
    ),
    Mutation(
        "the table is part of a checkpoint",
        "pe_core/encoding.py",
        (("persistent=False", "persistent=True"),),
        "test_encoding.py",
        "test_the_table_is_no_part_of_a_checkpoint",
    ),
]
