/// Tracks parcels on their way.
library parcels.tracking;

import 'dart:async';
import 'package:http/http.dart' as http show Client, get hide post;
import 'src/stub.dart' if (dart.library.io) 'src/io.dart';
export "src/model.dart" show Parcel;
part 'tracking.g.dart';

/// Called on every change.
typedef OnChange<T> = void Function(T parcel, {int? at});
typedef int Compare(Parcel a, Parcel b);

// How many are kept.
const maxParcels = 100, minParcels = 1;
final Map<String, Parcel> _cache = {};
late int counter, total = 0;
external int nativeCount();
int get size => _cache.length;
set size(int value) {}

/// Where a parcel is.
enum Status with Describable implements Comparable<Status> {
  /// Not sent yet.
  waiting('w'),
  @Deprecated('use waiting')
  sent.named('s'),
  done;

  const Status([this.code = '']);
  final String code;
  String get label => code.toUpperCase();
}

/// Can be located.
mixin Located<T extends Object> on Base implements Mapped {
  static const origin = Point(0, 0);
  late final T where;
}

/// One parcel.
///
/// Sent by a person.
@immutable
@JsonSerializable(explicitToJson: true)
abstract class Parcel<T extends Place> extends Item<T> with Located, Logged implements Sendable {
  /// Its number.
  @override
  final String id;
  static int made = 0, lost = 0;
  var weight, height = 1.5;
  T? place;

  /// Makes a parcel.
  Parcel(this.id, {required this.place, super.key}) : weight = 1, super(id) {
    final local = made++;
  }
  const Parcel.empty() : id = '';
  factory Parcel.fromJson(Map<String, dynamic> json) => _$ParcelFromJson(json);
  factory Parcel.remote(String id) = RemoteParcel<Place>.open;

  /// Sends it.
  @mustCallSuper
  Future<List<Status>> send<R>(http.Client client, [Duration? wait]) async {
    int inner(int a) => a;
    final answer = await client.get(Uri.parse('x'))..close();
    if (answer is Failure) throw new StateError(r'lost');
    return <Status>[const Stamp.of(1), new http.Box(), Crate<int>.sized(3), for (final p in items) inner(p) as Status];
  }
  external void ping();
  String describe();
  set address(Address value) => place = value.place;
  bool operator ==(covariant Parcel other) => other.id == id;
  T operator [](int index) { return parts[index]; }
}

class Empty = Parcel<Home> with Located;

// Helpers.
extension ParcelList on List<Parcel> {
  double total() => fold(0, (sum, p) => sum + p.weight);
}
extension type ParcelId(String value) implements String {
  bool get isValid => value.isNotEmpty;
}

/** Starts it all. */
void main(List<String> args) async {
  test('sends parcels', () { expect(1, equals(1)); });
}
