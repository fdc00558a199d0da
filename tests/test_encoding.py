"""PositionalEncoding, the module: what it adds, and what it survives."""

import copy
import io
import math
from collections import OrderedDict
from collections.abc import Callable, Iterator
from unittest.mock import Mock

import pytest
import torch
import torch.distributed as dist
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch._subclasses.functional_tensor import FunctionalTensorMode
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import DTensor, Shard, distribute_module, distribute_tensor

from pe_core import PositionalEncoding, sinusoidal_table, stepwise

DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)


def test_it_adds_the_first_rows_to_every_sequence_of_the_batch() -> None:
    x = torch.arange(1.0, 49.0).reshape(2, 4, 6)
    y = PositionalEncoding(6, 10)(x)
    assert y.shape == (2, 4, 6)
    assert torch.equal(y - x, (x + sinusoidal_table(4, 6)) - x)
    assert torch.equal(y[0, 0], torch.tensor([1.0, 3.0, 3.0, 5.0, 5.0, 7.0]))


def test_its_table_is_the_one_that_the_steps_build() -> None:
    module = PositionalEncoding(6, 10)
    torch.testing.assert_close(module.pe, stepwise(10, 6), rtol=0, atol=1e-6)
    other = PositionalEncoding(6, 10, base=100.0)
    torch.testing.assert_close(other.pe, stepwise(10, 6, base=100.0), rtol=0, atol=1e-6)


def test_an_input_as_long_as_the_table_or_empty_fits() -> None:
    module = PositionalEncoding(6, 10)
    assert torch.equal(module(torch.zeros(1, 10, 6))[0], module.pe)
    assert module(torch.zeros(3, 0, 6)).shape == (3, 0, 6)
    assert module(torch.zeros(0, 4, 6)).shape == (0, 4, 6)
    assert PositionalEncoding(6, 0)(torch.zeros(2, 0, 6)).shape == (2, 0, 6)


def test_one_sequence_alone_needs_no_batch_axis() -> None:
    module = PositionalEncoding(6, 10)
    x = torch.arange(1.0, 49.0).reshape(2, 4, 6)
    assert torch.equal(module(x[1]), module(x)[1])
    assert torch.equal(module(x[1], start=3), module(x, start=3)[1])


def test_vmap_maps_it_over_any_axis() -> None:
    module = PositionalEncoding(6, 10)
    x = torch.randn(3, 2, 4, 6, generator=torch.Generator().manual_seed(0))
    whole = module(x.flatten(0, 1)).view_as(x)
    assert torch.equal(torch.func.vmap(module)(x), whole)
    assert torch.equal(torch.func.vmap(torch.func.vmap(module))(x), whole)
    assert torch.equal(torch.func.vmap(module, in_dims=1, out_dims=1)(x), whole)


def test_decoding_with_a_cache_adds_what_the_whole_sequence_gets() -> None:
    module = PositionalEncoding(6, 10)
    x = torch.randn(2, 10, 6, generator=torch.Generator().manual_seed(0))
    whole = module(x)
    assert torch.equal(module(x[:, :4]), whole[:, :4])
    for p in range(4, 10):
        assert torch.equal(module(x[:, p : p + 1], start=p), whole[:, p : p + 1])
    assert module(x[:, :0], start=10).shape == (2, 0, 6)
    with pytest.raises(ValueError, match="max_sequence_length is 10, start 8, the length of x 3"):
        module(x[:, :3], start=8)
    with pytest.raises(ValueError, match="start must be zero or a positive integer, got -1"):
        module(x, start=-1)
    with pytest.raises(TypeError, match=r"start must be an integer, got 1\.0"):
        module(x, start=1.0)


def test_dropout_acts_on_the_sum_while_training_and_not_otherwise() -> None:
    torch.manual_seed(0)
    module = PositionalEncoding(64, 100, dropout=0.25)
    x = torch.full((8, 100, 64), 5.0)
    y = module(x)
    dropped = y == 0  # no entry of the sum is 0: all lie between 4 and 6
    assert 0.23 < dropped.double().mean() < 0.27
    torch.testing.assert_close(y[~dropped], ((x + module.pe) / 0.75)[~dropped])
    assert torch.equal(module.eval()(x), x + module.pe)
    assert torch.equal(PositionalEncoding(64, 100)(x), x + module.pe)


def test_the_gradient_passes_unchanged_and_the_table_takes_none() -> None:
    module = PositionalEncoding(6, 10)
    x = torch.zeros(2, 4, 6, requires_grad=True)
    module(x).sum().backward()
    assert torch.equal(x.grad, torch.ones(2, 4, 6))
    assert list(module.parameters()) == []
    assert not module.pe.requires_grad


# --- moved to another dtype or device ---------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_table_is_exact_in_whatever_dtype_the_module_is_moved_to(dtype: torch.dtype) -> None:
    module = PositionalEncoding(64, 300).to(torch.bfloat16).to(dtype)
    assert module.pe.dtype == dtype
    assert torch.equal(module.pe, sinusoidal_table(300, 64, dtype=dtype))
    x = torch.zeros(2, 300, 64, dtype=dtype)
    assert module(x).dtype == dtype
    assert torch.equal(module(x)[1], module.pe)


def test_a_half_precision_module_keeps_all_positions_apart() -> None:
    module = PositionalEncoding(16, 16_384).bfloat16()
    assert len(module.pe.unique(dim=0)) == 16_384
    # Positions that are themselves rounded to bfloat16 first do not stay apart.
    assert len(torch.arange(16_384).to(torch.bfloat16).unique()) == 1025


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_sum_has_the_dtype_of_the_input(dtype: torch.dtype) -> None:
    module = PositionalEncoding(6, 10)  # a float32 table, as under autocast
    y = module(torch.zeros(2, 4, 6, dtype=dtype))
    assert y.dtype == dtype
    assert torch.equal(y[0], module.pe[:4].to(dtype))


def test_it_follows_the_default_dtype_as_other_layers_do() -> None:
    before = torch.get_default_dtype()
    try:
        torch.set_default_dtype(torch.float64)
        module = PositionalEncoding(6, 10)
        assert module.pe.dtype == nn.Linear(1, 1).weight.dtype == torch.float64
    finally:
        torch.set_default_dtype(before)
    assert torch.equal(module.pe, sinusoidal_table(10, 6, dtype=torch.float64))


def test_a_module_made_on_the_meta_device_holds_the_table_once_it_is_somewhere() -> None:
    with torch.device("meta"):
        model = nn.Sequential(nn.Linear(6, 6), PositionalEncoding(6, 10))
    assert model[1].pe.is_meta
    model.to_empty(device="cpu")
    assert torch.equal(model[1].pe, sinusoidal_table(10, 6))


def test_a_module_on_meta_goes_where_the_weights_of_a_checkpoint_go() -> None:
    with torch.device("meta"):
        model = nn.Sequential(nn.Linear(6, 6), PositionalEncoding(6, 10))
    weights = {"0.weight": torch.ones(6, 6), "0.bias": torch.ones(6)}
    model.load_state_dict(weights, assign=True)
    model.to("cpu", torch.float64)
    assert torch.equal(model[0].weight, torch.ones(6, 6, dtype=torch.float64))
    assert torch.equal(model[1].pe, sinusoidal_table(10, 6, dtype=torch.float64))
    assert PositionalEncoding(6, 10, device="meta").double().pe.is_meta


def test_a_table_that_was_asked_for_a_gradient_is_converted_too() -> None:
    module = PositionalEncoding(6, 10)
    module.pe.requires_grad_()
    assert torch.equal(module.double().pe, sinusoidal_table(10, 6, dtype=torch.float64))


def test_device_and_dtype_are_those_asked_for() -> None:
    module = PositionalEncoding(6, 10, device="cpu", dtype=torch.bfloat16)
    assert torch.equal(module.pe, sinusoidal_table(10, 6, dtype=torch.bfloat16))
    assert PositionalEncoding(6, 10, device="meta").pe.is_meta
    with torch.device("meta"):
        assert not PositionalEncoding(6, 10, device="cpu").pe.is_meta
    with pytest.raises(TypeError, match="dtype must be"):
        PositionalEncoding(6, 10, dtype=torch.int64)


def test_skip_init_gives_the_whole_table() -> None:
    module = torch.nn.utils.skip_init(PositionalEncoding, 6, 10, base=100.0)
    assert torch.equal(module.pe, sinusoidal_table(10, 6, base=100.0))


def test_reset_parameters_writes_the_table_into_the_memory_it_has() -> None:
    module = PositionalEncoding(6, 10, base=100.0).double()
    table = module.pe
    with torch.no_grad():
        table.fill_(math.nan)  # as memory is that nobody has written to
    module.reset_parameters()
    assert module.pe is table
    assert torch.equal(table, sinusoidal_table(10, 6, base=100.0, dtype=torch.float64))


def test_the_way_of_fsdp_from_meta_gives_the_right_table() -> None:
    module = PositionalEncoding(6, 10, device="meta")
    for each in module.modules():  # torch materializes one module at a time
        each.to_empty(device="cpu", recurse=False)
    module.reset_parameters()
    assert torch.equal(module.pe, sinusoidal_table(10, 6))


def test_it_is_made_moved_and_called_without_memory() -> None:
    with FakeTensorMode():
        assert PositionalEncoding(6, 10, device="cuda").double().pe.is_cuda
        module = PositionalEncoding(6, 10).bfloat16()
        y = module(torch.empty(2, 4, 6), start=3)
    assert (module.pe.shape, module.pe.dtype) == ((10, 6), torch.bfloat16)
    assert (y.shape, y.dtype) == ((2, 4, 6), torch.float32)


@pytest.mark.filterwarnings("ignore:Complex modules", "ignore:Casting complex")
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128, torch.float8_e4m3fn])
def test_a_model_goes_as_a_whole_to_a_dtype_without_a_table(dtype: torch.dtype, place: int) -> None:
    parts: list[nn.Module] = [nn.Linear(6, 6), nn.Linear(6, 6)]
    parts.insert(place, PositionalEncoding(6, 10))
    model = nn.Sequential(*parts)
    model.to(dtype)
    assert {each.dtype for each in (*model.parameters(), *model.buffers())} == {dtype}
    for x in (torch.zeros(2, 4, 6), torch.zeros(2, 4, 6).to(dtype)):
        with pytest.raises(TypeError, match=r"dtype of (x|the module) must be torch\.float16 or"):
            model[place](x)
    model.to(torch.float32)  # and back: nothing is lost of the table
    assert torch.equal(model[place].pe, sinusoidal_table(10, 6))


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_conversion_that_torch_refuses_changes_nothing(place: int) -> None:
    parts: list[nn.Module] = [nn.Linear(6, 6), nn.Linear(6, 6)]
    parts.insert(place, PositionalEncoding(6, 10))
    model = nn.Sequential(*parts)
    before = [each.clone() for each in (*model.parameters(), *model.buffers())]
    with pytest.raises(TypeError, match="only accepts floating point or complex"):
        model.to(torch.int64)
    after = [*model.parameters(), *model.buffers()]
    assert all(torch.equal(a, b) for a, b in zip(after, before, strict=True))


@pytest.fixture
def mesh() -> Iterator[DeviceMesh]:
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    yield dist.init_device_mesh("cpu", (1,))
    dist.destroy_process_group()


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_a_distributed_model_is_converted_as_a_whole(mesh: DeviceMesh, device: str) -> None:
    model = nn.Sequential(nn.Linear(6, 6), PositionalEncoding(6, 10), nn.Linear(6, 6)).to(device)
    distribute_module(model, mesh)
    model.to_empty(device="cpu").double()
    table = model[1].pe
    assert isinstance(table, DTensor)
    assert torch.equal(table.full_tensor(), sinusoidal_table(10, 6, dtype=torch.float64))
    assert {each.dtype for each in model.parameters()} == {torch.float64}
    split = distribute_tensor(table.full_tensor().clone().zero_(), mesh, [Shard(1)])
    model[1].pe = split
    model[1].reset_parameters()
    assert model[1].pe is split
    assert torch.equal(split.full_tensor(), table.full_tensor())


def test_a_model_moved_as_a_whole_moves_its_encoding() -> None:
    model = nn.Sequential(nn.Linear(6, 6), PositionalEncoding(6, 10)).double()
    assert torch.equal(model[1].pe, sinusoidal_table(10, 6, dtype=torch.float64))
    assert model(torch.zeros(2, 4, 6, dtype=torch.float64)).dtype == torch.float64


def test_a_move_that_changes_nothing_leaves_the_tensor_alone() -> None:
    module = PositionalEncoding(6, 10)
    table = module.pe
    assert module.to("cpu").float().pe is table
    module.share_memory()
    assert module.pe.is_shared()
    assert torch.equal(module.pe, sinusoidal_table(10, 6))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_a_module_moved_to_cuda_and_back_is_the_same() -> None:
    module = PositionalEncoding(64, 300).cuda()
    assert module.pe.is_cuda
    assert module(torch.zeros(2, 4, 64, device="cuda")).is_cuda
    torch.testing.assert_close(module.pe.cpu(), sinusoidal_table(300, 64), rtol=0, atol=6e-8)


# --- stored, copied, compiled -----------------------------------------------------------------


def test_the_table_is_no_part_of_a_checkpoint() -> None:
    module = PositionalEncoding(6, 10)
    assert module.state_dict() == OrderedDict()
    stored = io.BytesIO()
    torch.save(nn.Sequential(nn.Linear(6, 6), module).state_dict(), stored)
    stored.seek(0)
    longer = nn.Sequential(nn.Linear(6, 6), PositionalEncoding(6, 500))
    longer.load_state_dict(torch.load(stored, weights_only=True), strict=True)
    assert torch.equal(longer[1].pe, sinusoidal_table(500, 6))


def test_a_checkpoint_that_brings_a_table_of_its_own_is_not_taken_in_silence() -> None:
    theirs = {"pe": torch.zeros(1, 10, 6)}
    module = PositionalEncoding(6, 10)
    with pytest.raises(RuntimeError, match=r'Unexpected key.*"pe"'):
        module.load_state_dict(theirs)
    module.load_state_dict(theirs, strict=False)
    assert torch.equal(module.pe, sinusoidal_table(10, 6))


def test_copies_are_equal_and_independent() -> None:
    module = PositionalEncoding(6, 10, dropout=0.5, base=100.0).eval().double()
    stored = io.BytesIO()
    torch.save(module, stored)
    stored.seek(0)
    x = torch.ones(2, 4, 6, dtype=torch.float64)
    for other in (copy.deepcopy(module), torch.load(stored, weights_only=False)):
        assert other.pe.data_ptr() != module.pe.data_ptr()
        assert torch.equal(other(x), module(x))
        assert torch.equal(other.float().pe, sinusoidal_table(10, 6, base=100.0))


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_it_compiles_whole_and_for_every_length(backend: str) -> None:
    torch._dynamo.reset()
    module = PositionalEncoding(6, 40)
    compiled = torch.compile(module, fullgraph=True, dynamic=True, backend=backend)
    for length in (4, 5, 17, 40):
        x = torch.randn(2, length, 6, generator=torch.Generator().manual_seed(length))
        assert torch.equal(compiled(x), module(x))
    # Asked for one whole graph, torch reports our error as its own, with our words in it.
    with pytest.raises(Exception, match="must not reach beyond the table"):
        compiled(torch.zeros(2, 41, 6))
    with pytest.raises(ValueError, match="must not reach beyond the table"):
        torch.compile(module, backend=backend)(torch.zeros(2, 41, 6))


@pytest.mark.parametrize("start", [1, 3, 38])
def test_it_compiles_for_every_start(start: int) -> None:
    torch._dynamo.reset()
    module = PositionalEncoding(6, 40)
    compiled = torch.compile(module, fullgraph=True, dynamic=True, backend="eager")
    x = torch.randn(2, 2, 6, generator=torch.Generator().manual_seed(start))
    assert torch.equal(compiled(x, start=0), module(x))
    assert torch.equal(compiled(x, start=start), module(x, start=start))


def test_it_exports_with_a_length_that_stays_open() -> None:
    module = PositionalEncoding(6, 40).eval()
    length = torch.export.Dim("length", min=2, max=40)
    program = torch.export.export(
        module, (torch.zeros(2, 7, 6),), dynamic_shapes={"x": {1: length}}, strict=True
    )
    for n in (2, 7, 40):
        x = torch.randn(2, n, 6, generator=torch.Generator().manual_seed(n))
        assert torch.equal(program.module()(x), module(x))


def test_a_table_is_refused_where_its_kept_parts_would_be_torch_funcs() -> None:
    x = torch.ones(5, 8)

    def loss(y: torch.Tensor) -> torch.Tensor:
        return (y * sinusoidal_table(5, 8)).sum()

    with pytest.raises(RuntimeError, match=r"cannot be called inside torch\.func\.grad"):
        torch.func.grad(loss)(x)
    table = sinusoidal_table(5, 8)
    assert torch.equal(torch.func.grad(lambda y: (y * table).sum())(x), table)


def test_what_functionalize_wraps_is_not_kept() -> None:
    def is_refused(make: Callable[[], object]) -> bool:
        try:
            make()
        except RuntimeError as error:
            return "cannot be called inside" in str(error)
        return False

    def by_mode() -> None:
        with FunctionalTensorMode():
            sinusoidal_table(5, 18)

    added = torch.func.functionalize(lambda y: y + sinusoidal_table(5, 18))
    assert is_refused(lambda: added(torch.ones(5, 18)))
    assert is_refused(by_mode)
    assert not is_refused(lambda: sinusoidal_table(5, 18))  # no other test keeps this width


def test_it_exports_from_a_trace_as_well() -> None:
    module = PositionalEncoding(6, 40).eval()
    program = torch.export.export(
        module,
        (torch.zeros(2, 7, 6),),
        dynamic_shapes={"x": {1: torch.export.Dim.DYNAMIC}},
        strict=False,
    )
    assert torch.equal(program.module()(torch.zeros(2, 40, 6))[0], module.pe)


def test_it_says_what_it_is() -> None:
    assert "6, 10, base=10000.0" in repr(PositionalEncoding(6, 10, dropout=0.1))
    assert "base=1.0000001" in repr(PositionalEncoding(6, 10, base=1.0000001))
    assert "p=0.1" in repr(PositionalEncoding(6, 10, dropout=0.1))


# --- what is refused --------------------------------------------------------------------------


def test_an_input_longer_than_the_table_is_refused_with_both_lengths() -> None:
    message = "max_sequence_length is 10, start 0, the length of x 11"
    with pytest.raises(ValueError, match=message):
        PositionalEncoding(6, 10)(torch.zeros(2, 11, 6))


@pytest.mark.parametrize("shape", [(), (6,), (1, 2, 4, 6)])
def test_an_input_of_another_rank_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"x must have the shape \(batch, length, d_model\)"):
        PositionalEncoding(6, 10)(torch.zeros(shape))


def test_an_input_of_another_width_is_refused_even_one_that_would_broadcast() -> None:
    for width in (1, 5, 12):
        with pytest.raises(ValueError, match=f"d_model = 6 columns, got {width}"):
            PositionalEncoding(6, 10)(torch.zeros(2, 4, width))


def test_an_input_that_is_not_a_tensor_of_floats_is_refused() -> None:
    module = PositionalEncoding(6, 10)
    for dtype in (torch.int64, torch.bool, torch.complex64):
        with pytest.raises(TypeError, match="dtype of x must be"):
            module(torch.zeros(2, 4, 6, dtype=dtype))
    with pytest.raises(TypeError, match="x must be a tensor"):
        module([[0.0] * 6])


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@pytest.mark.parametrize("layout", [torch.strided, torch.jagged])
def test_sequences_of_lengths_of_their_own_are_refused(layout: torch.layout) -> None:
    x = torch.nested.nested_tensor([torch.zeros(3, 6), torch.zeros(5, 6)], layout=layout)
    with pytest.raises(TypeError, match=r"^x must be a tensor .*, got a tensor nested and"):
        PositionalEncoding(6, 10)(x)


def test_arguments_without_meaning_are_refused() -> None:
    for d_model in (5, 0, -2):
        with pytest.raises(ValueError, match="d_model must be a positive even integer"):
            PositionalEncoding(d_model, 10)
    with pytest.raises(TypeError, match="d_model must be an integer"):
        PositionalEncoding(6.0, 10)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_sequence_length must be zero or a positive"):
        PositionalEncoding(6, -1)
    with pytest.raises(ValueError, match=r"max_sequence_length must be less than 2\*\*63, got 9"):
        PositionalEncoding(6, 2**63)
    for dropout in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="dropout must"):
            PositionalEncoding(6, 10, dropout=dropout)
    with pytest.raises(TypeError, match="dropout must be a real number"):
        PositionalEncoding(6, 10, dropout="0.1")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="base must"):
        PositionalEncoding(6, 10, base=0.0)


def test_a_conversion_that_is_broken_off_leaves_the_module_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = PositionalEncoding(6, 20)
    before = module.pe
    with monkeypatch.context() as patch:
        patch.setattr(module, "reset_parameters", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            module.double()
    assert module.pe is before
    assert torch.equal(module.double().pe, sinusoidal_table(20, 6, dtype=torch.float64))
