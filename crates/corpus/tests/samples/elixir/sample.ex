defmodule Greenhouse.Bed do
  @moduledoc """
  A bed of plants that is watered on a schedule.
  """

  use GenServer, restart: :transient
  import Bitwise, only: [band: 2]
  require Logger
  alias Greenhouse.{Plant, Sensor}
  alias Greenhouse.Valve, as: Tap
  @behaviour Greenhouse.Waterable

  # Litres in one watering.
  @portion 3
  @limits [low: 10, high: 40]
  @typedoc "A bed and what grows in it."
  @type t :: %__MODULE__{name: String.t(), plants: [Plant.t()]}
  @typep row(item) :: {pos_integer(), item}
  @opaque ticket :: reference()

  @derive {Jason.Encoder, only: [:name]}
  @enforce_keys [:name]
  defstruct [:name, plants: [], moisture: 0]

  @doc "Called when the bed runs dry."
  @callback on_dry(bed :: t, level) :: :ok | {:error, level} when level: integer()

  defmodule FrozenError do
    defexception message: "the pipe is frozen"
  end

  # Rounded up to whole portions.
  @doc ~S"""
  Waters the bed.
  Gives back the bed with its new moisture.
  """
  @doc since: "1.2.0"
  @spec water(t, pos_integer) :: {:ok, t}
  @impl true
  def water(bed, litres \\ @portion)
  def water(%__MODULE__{moisture: m} = bed, _litres) when m > 40, do: {:ok, bed}
  def water(bed, litres) when is_integer(litres) do
    Logger.info("watering #{describe(bed)}")
    bed |> pour(litres) |> Sensor.record() |> wrap
  rescue
    error in [Tap.JammedError, FrozenError] -> reraise error, __STACKTRACE__
  end

  def dry?, do: !Enum.any?(@limits, &above?/1)

  @doc "Puts two beds side by side."
  def left <~> right, do: %Plant{name: left.name <> right.name}

  defp pour(
         bed,
         litres
       ) do
    if litres <= 0, do: raise(ArgumentError, "nothing to pour")
    %{bed | moisture: band(bed.moisture + litres, 0xFF)}
  end

  @doc "True for a moisture that needs no water."
  defguard is_wet(level) when level > 20 and level < 90

  defmacro every(hours, do: block) do
    quote do: Greenhouse.Clock.repeat(unquote(hours), fn -> unquote(block) end)
  end

  defdelegate describe(bed), to: Greenhouse.Label

  for unit <- [:ml, :cl] do
    def unquote(unit)(amount), do: {unquote(unit), amount}
  end
end

defprotocol Greenhouse.Sized do
  @doc "How much room it takes."
  def area(thing)
end

defimpl Greenhouse.Sized, for: Greenhouse.Bed do
  def area(bed), do: length(bed.plants)
end

describe "water/2" do
  @tag :slow
  test "stops at the limit", %{bed: bed} do
    assert {:ok, ^bed} = Greenhouse.Bed.water(bed, 5)
  end
end
